import { type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import type { Money } from '../money/money.ts';
import { textOf } from '../plain-data.ts';
import type { Method } from './define-method.ts';
import { checkLimits, type LimitsTable, mergeLimits } from './limits.ts';
import type { Operation } from './operation.ts';
import { type Prepare, prepareAsDeclared } from './prepared.ts';
import type { Scope, Sources } from './scope.ts';
import { reader } from './values.ts';

const NO_LIMITS: LimitsTable = { source: '', rows: [] };

/** The issue of an amount outside the limits that apply, with the MID's rows before the method's. */
export function breach(
  method: Method,
  operation: Operation,
  amount: Money,
  scope: Scope,
  sources: Sources,
  prepare: Prepare = prepareAsDeclared,
): Issue[] {
  const spec = method.operations[operation];
  const table = mergeLimits(method.limits ?? NO_LIMITS, sources.profile?.limits ?? []);
  if (spec === undefined || table.rows.length === 0) return [];
  const read = (path: string) => textOf(reader(prepare(spec), scope, sources)(path));
  const found = checkLimits(table, {
    operation,
    amount,
    country: table.rows.some((row) => row.country !== undefined) ? read('billing_address.country') : undefined,
    operator: method.operator === undefined ? undefined : read(`parameters.${method.operator}`),
  });
  if (found === undefined) return [];
  return [issue('order.amount', found.kind === 'below' ? TEXTS.atLeast(found.limit) : TEXTS.atMost(found.limit))];
}
