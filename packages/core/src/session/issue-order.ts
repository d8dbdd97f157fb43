import type { Issue } from '../issues/issue.ts';
import { blockOf, sessionSchema } from './session-schema.ts';

/** Position of every field in the protocol's tables. `amount` is the published name of `order.amount` in one text. */
const positions: ReadonlyMap<string, number> = new Map(
  Object.entries(sessionSchema.shape)
    .flatMap(([field, schema]) => [
      field,
      ...Object.keys(blockOf(schema)?.shape ?? {}).map((name) => `${field}.${name}`),
    ])
    .flatMap((path) => (path === 'order.amount' ? [path, 'amount'] : [path]))
    .map((path, index): [string, number] => [path, index]),
);

/** Sorts issues by the order of the protocol's tables, within one field as they were found. */
export function inTableOrder(issues: readonly Issue[]): Issue[] {
  return [...issues].sort((left, right) => position(left.path) - position(right.path));
}

function position(path: string): number {
  const [top = '', name] = path.split('.');
  return positions.get(`${top}.${name}`) ?? positions.get(top) ?? positions.size;
}
