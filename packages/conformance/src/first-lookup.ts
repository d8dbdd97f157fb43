import type { RequestContext } from '@railyard/core';
import type { Finder, Wire } from '@railyard/core/driver';

/** The first request by which a lost one is found: the one that names what was lost. */
export function firstLookup(
  finder: Finder<unknown, unknown, unknown>,
  input: unknown,
  context: RequestContext<unknown>,
): Wire {
  const first = finder.steps(input, context).next();
  return first.done !== true ? first.value.endpoint.request(first.value.input, context) : {};
}
