import type { Method } from '@railyard/core';
import { createRegistry, type Registry } from '@railyard/core/registry';
import { UsageError } from '../commands/command.ts';
import { nearest } from '../output/nearest.ts';
import type { Found } from './find-connectors.ts';

/** The registry of the found methods. @throws UsageError where two definitions share a key */
export function registryOf({ methods, from }: Found): Registry {
  try {
    return createRegistry(methods);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${why}\nThey come from: ${from.join(', ')}.`);
  }
}

/** @throws UsageError that lists the methods there are */
export function methodCalled(key: string, { methods }: Found): Method {
  const found = methods.find((method) => method.key === key);
  if (found !== undefined) return found;
  const keys = methods.map((method) => method.key);
  const near = nearest(key, keys);
  throw new UsageError(
    `There is no method "${key}".${near === undefined ? '' : ` Did you mean "${near}"?`} Methods: ${keys.join(', ')}.`,
  );
}
