import { type Issue, issue, onePerPath } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import type { ParsedSession, ParseSessionOptions } from '../session/parse-session.ts';
import { isZero } from '../money/arithmetic.ts';
import { readText } from '../plain-data.ts';
import { breach } from './breach.ts';
import { holds } from './condition.ts';
import type { Method } from './define-method.ts';
import type { Prepare, PreparedOperation } from './prepared.ts';
import type { Profile } from './profile.ts';
import type { Readable } from './readable.ts';
import { checkSubmission } from './resolve.ts';
import { type Scope, scopeWith, type Sources } from './scope.ts';
import { own, reader } from './values.ts';

export type Find = (key: string, profile?: Profile) => Method | undefined;

/** The functions with which a registry checks requests. */
export interface Tools {
  readonly find: Find;
  readonly prepare: Prepare;
  readonly parse: (input: unknown, options: ParseSessionOptions) => ParsedSession;
}

export interface Found {
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
}

/** A method of the request: operation, currency, parameters and limits, in this order. */
export function checkMethod(
  { prepare }: Tools,
  method: Method,
  request: Readable,
  key: string,
  asked: boolean,
  sources: Sources,
): Found {
  const { operation, amount } = request;
  const spec = method.operations[operation];
  if (spec === undefined)
    return { issues: [issue(asked ? 'methods' : `parameters.${key}`, TEXTS.choice)], warnings: [] };
  const scope = scopeWith(request.fields, key, own(request.parameters, key), method);
  const found = checkSubmission(prepare(spec), scope, sources);
  const issues: Issue[] = [];
  if (asked && !takesCurrency(method, request, sources)) issues.push(issue('order.currency', TEXTS.choice));
  if (asked && amount !== undefined && isZero(amount) && !takesZero(prepare(spec), scope, sources))
    issues.push(issue('amount', TEXTS.greaterThanZero));
  // A variant may have said it already, with its choices.
  const place = `${operation === 'credit' ? 'payee_' : ''}billing_address.country`;
  const isTaken = !asked || isAmong(method.countries, readText(request.fields, place));
  issues.push(...(isTaken ? found.issues : onePerPath([...found.issues, issue(place, TEXTS.choice)])));
  if (asked && amount !== undefined) issues.push(...breach(method, operation, amount, scope, sources, prepare));
  return { issues, warnings: found.warnings };
}

/** Whether a zero amount is a check that the account makes; where nothing is known of the account, it may be (protocol: Amount format, 3). */
function takesZero(operation: PreparedOperation, scope: Scope, sources: Sources): boolean {
  const { zeroAmount } = operation.spec;
  if (typeof zeroAmount !== 'object') return zeroAmount === true;
  return sources.profile === undefined || holds(zeroAmount, reader(operation, scope, sources));
}

/** The method's currencies, and of these the MID's. */
function takesCurrency(method: Method, { currency }: Readable, { profile }: Sources): boolean {
  return [method.currencies, profile?.currencies].every((allowed) => isAmong(allowed, currency));
}

/** A session need not name a currency or a country, and a list that is absent means all. */
const isAmong = (allowed: readonly string[] | undefined, code: string | undefined): boolean =>
  code === undefined || allowed === undefined || allowed.includes(code);
