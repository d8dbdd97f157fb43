import type { RequestContext } from '@railyard/core';
import { type Finder, requestOf, type Wire } from '@railyard/core/driver';

/** The first request by which a lost one is found: the one that names what was lost. It carries the credential of the lost one. */
export function firstLookup(
  finder: Finder<unknown, unknown, unknown>,
  input: unknown,
  context: RequestContext<unknown>,
): Wire {
  const steps = finder.steps(input, context);
  let next = steps.next();
  while (next.done !== true && next.value.kind === 'credential') next = steps.next(context.credential);
  return next.done !== true ? requestOf(next.value, context) : {};
}
