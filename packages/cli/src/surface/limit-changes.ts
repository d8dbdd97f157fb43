import { type LimitRow, money } from '@railyard/core';
import type { Change } from './bump.ts';

type Column = 'currency' | 'operation' | 'country' | 'operator';
const COLUMNS: readonly Column[] = ['currency', 'operation', 'country', 'operator'];

/** How the limits of amounts have changed, for every combination that either table names. */
export function limitChanges(at: string, before: readonly LimitRow[], after: readonly LimitRow[]): Change[] {
  const keys = new Map([...before, ...after].map((row) => [nameOf(row), row]));
  return [...keys].flatMap(([name, key]) => {
    const where = `${at}, limits, ${name}`;
    const [old, now] = [rowFor(before, key), rowFor(after, key)];
    return [...edgeChange(where, 'min', old, now), ...edgeChange(where, 'max', old, now)];
  });
}

const nameOf = (row: LimitRow) =>
  COLUMNS.map((column) => row[column])
    .filter((value) => value !== undefined)
    .join(' ');

/** The first row that fits, as in `limitFor`; a column that is absent fits everything. */
const rowFor = (rows: readonly LimitRow[], key: LimitRow) =>
  rows.find((row) => COLUMNS.every((column) => row[column] === undefined || row[column] === key[column]));

function edgeChange(at: string, edge: 'min' | 'max', old: LimitRow | undefined, now: LimitRow | undefined): Change[] {
  const [from, to] = [old?.[edge], now?.[edge]];
  const currency = (now ?? old)?.currency ?? '';
  if (from === to) return [];
  const says = `${edge} is ${to ?? 'gone'}, before ${from ?? 'none'}`;
  if (from === undefined) return [{ bump: 'major', at, says: `${says}: narrower` }];
  if (to === undefined) return [{ bump: 'minor', at, says: `${says}: wider` }];
  const more = money(to, currency).minor - money(from, currency).minor;
  if (more === 0n) return [];
  const narrower = edge === 'min' ? more > 0n : more < 0n;
  return [{ bump: narrower ? 'major' : 'minor', at, says: `${says}: ${narrower ? 'narrower' : 'wider'}` }];
}
