import { type LimitRow, money, moneyOfMinor, readPath } from '@railyard/core';
import { limitFor, OPERATIONS } from '@railyard/core/registry';
import { type Check, NO_SAMPLE, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { validate } from '../host/world.ts';
import { runsOf } from '../runs.ts';
import { merged } from '../sample-request.ts';
import type { Case, Subject } from '../subject.ts';
import { walk } from '../walk.ts';

interface Edge {
  readonly amount: string;
  readonly taken: boolean;
  readonly what: string;
}

/** Both sides of both edges of a row. */
function edgesOf({ currency, min, max }: LimitRow): readonly Edge[] {
  const at = (text: string, step: bigint) => moneyOfMinor(money(text, currency).minor + step, currency);
  const low = min === undefined ? [] : [{ amount: money(min, currency).text, taken: true, what: 'the least' }];
  const high = max === undefined ? [] : [{ amount: money(max, currency).text, taken: true, what: 'the most' }];
  const below =
    min === undefined || money(min, currency).minor === 0n
      ? []
      : [{ amount: at(min, -1n).text, taken: false, what: 'one unit less than the least' }];
  const above =
    max === undefined ? [] : [{ amount: at(max, 1n).text, taken: false, what: 'one unit more than the most' }];
  return [...below, ...low, ...high, ...above];
}

/** A sample with the row's currency, country and operator. */
function requestAt({ request, method }: Case, { currency, country, operator }: LimitRow, amount: string) {
  const own =
    operator !== undefined && method.operator !== undefined
      ? { parameters: { [method.key]: { [method.operator]: operator } } }
      : {};
  const place = country === undefined ? {} : { billing_address: { country } };
  return merged(request, { order: { amount, currency }, ...place, ...own });
}

function rowsOf({ cases }: Subject): readonly { readonly one: Case; readonly row: LimitRow; readonly path: string }[] {
  const like = (one: Case) => cases.filter((each) => each.method === one.method && each.operation === one.operation);
  const firsts = cases.filter((one) => like(one)[0] === one);
  return firsts.flatMap((first) =>
    (first.method.limits?.rows ?? []).flatMap((row, index) => {
      if (row.operation !== undefined && row.operation !== first.operation) return [];
      // Other parameters may depend on the currency: a number on its country.
      const one = like(first).find(({ request }) => readPath(request, 'order.currency') === row.currency) ?? first;
      return [{ one, row, path: `methods.${one.method.key}.limits.${index}` }];
    }),
  );
}

/** Whether the provider counts the amount: one in finer steps than it has for the currency may be declined before it is asked. */
function isCounted({ options: { simulation } }: Subject, { currency }: LimitRow, { amount }: Edge): boolean {
  const decimals = simulation?.decimals?.[currency];
  if (simulation?.counts?.(money(amount, currency)) === false) return false;
  return decimals === undefined || !/[1-9]/.test(amount.split('.')[1]?.slice(decimals) ?? '');
}

function problemAt(one: Case, row: LimitRow, { amount, taken, what }: Edge): string | undefined {
  const session = requestAt(one, row, amount);
  const deployment = { ...one.deployment, session };
  const validation = validate(deployment, session);
  const at = `${amount} ${row.currency} (${what})`;
  if (!taken) return validation.ok ? `${at} is taken.` : undefined;
  if (!validation.ok)
    return `${at} is refused: ${validation.issues.map(({ path, message }) => `${path}: ${message}`).join(' ')}`;
  const [first] = runsOf(one, deployment, 'operation');
  const [usual] = runsOf(one, one.deployment, 'operation');
  if (first === undefined || usual === undefined) return undefined;
  const { requests, end } = walk(first.run, first.options);
  if (end.kind === 'threw')
    return `${at} is within the limits, and the flow throws. The limits table is the only place for limits.`;
  const asked = walk(usual.run, usual.options).requests.length > 0;
  return asked && requests.length === 0
    ? `${at} is within the limits, and the flow does not ask the provider. The limits table is the only place for limits.`
    : undefined;
}

const NO_LIMITS = notApplicable('No method has limits.');

export const limitChecks: readonly Check[] = [
  {
    id: 'limit-edges',
    level: 'required',
    title: 'both edges of every limit are taken, and one unit beyond is refused',
    run(subject) {
      const rows = rowsOf(subject);
      if (rows.length === 0) return NO_LIMITS;
      if (subject.cases.length === 0) return NO_SAMPLE;
      return rows.flatMap(({ one, row, path }) =>
        edgesOf(row).flatMap((edge): Finding[] => {
          if (!isCounted(subject, row, edge)) return [];
          const says = problemAt(one, row, edge);
          return says === undefined ? [] : [{ path, says }];
        }),
      );
    },
  },
  {
    id: 'limit-rows-apply',
    level: 'recommended',
    title:
      'no row of a limits table stands in the shadow of an earlier one, or is of a currency that the method does not take',
    run({ connector }) {
      const rows = connector.serves.flatMap(({ method }) =>
        (method.limits?.rows ?? []).map((row, index) => ({
          method,
          row,
          path: `methods.${method.key}.limits.${index}`,
        })),
      );
      if (rows.length === 0) return NO_LIMITS;
      return rows.flatMap(({ method, row, path }): Finding[] => {
        if (method.currencies !== undefined && !method.currencies.includes(row.currency))
          return [{ path, says: `The method does not take ${row.currency}. Remove the row, or add the currency.` }];
        const table = method.limits ?? { rows: [], source: '' };
        const amount = money(row.min ?? row.max ?? '1.00', row.currency);
        const operations =
          row.operation === undefined
            ? OPERATIONS.filter((each) => method.operations[each] !== undefined)
            : [row.operation];
        const applies = operations.some(
          (operation) => limitFor(table, { operation, amount, country: row.country, operator: row.operator }) === row,
        );
        return applies
          ? []
          : [{ path, says: 'An earlier row matches all that this one does. Put the narrower row first.' }];
      });
    },
  },
  {
    id: 'limits-have-a-source',
    level: 'recommended',
    title: 'every limits table says where its numbers come from',
    run({ connector }) {
      const tables = connector.serves.flatMap(({ method }) =>
        method.limits === undefined ? [] : [{ key: method.key, source: method.limits.source }],
      );
      if (tables.length === 0) return NO_LIMITS;
      return tables
        .filter(({ source }) => source.trim().length < 4)
        .map(({ key }) => ({
          path: `methods.${key}.limits`,
          says: 'Its source is empty. Name the document and its chapter.',
        }));
    },
  },
];
