import { choiceIssue, type Issue, issue, onePerPath } from '../issues/issue.ts';
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
  // A variant may have named the country already, with its choices.
  const issues = onePerPath([...found.issues, ...(asked ? wrongCodes(method, request, sources) : [])]);
  if (asked && amount !== undefined) {
    if (isZero(amount) && !takesZero(prepare(spec), scope, sources))
      issues.push(issue('amount', TEXTS.greaterThanZero));
    issues.push(...breach(method, operation, amount, scope, sources, prepare));
  }
  return { issues, warnings: found.warnings };
}

/** Whether a zero amount is a check that the account makes; where nothing is known of the account, it may be (protocol: Amount format, 3). */
function takesZero(operation: PreparedOperation, scope: Scope, sources: Sources): boolean {
  const { zeroAmount } = operation.spec;
  if (typeof zeroAmount !== 'object') return zeroAmount === true;
  return sources.profile === undefined || holds(zeroAmount, reader(operation, scope, sources));
}

/** The issues of codes that lists of the method, or of the MID, do not have. */
function wrongCodes(
  { currencies, countries }: Method,
  { operation, currency, fields }: Readable,
  { profile }: Sources,
): Issue[] {
  const country = operation === 'credit' ? 'payee_billing_address.country' : 'billing_address.country';
  return [
    ...unlisted('order.currency', currency, currencies),
    ...unlisted('order.currency', currency, profile?.currencies),
    ...unlisted(country, readText(fields, country), countries),
  ];
}

/** Whether a list has a code. A session need not name a code, and a list that is absent means all. */
export const isListed = (code: string | undefined, list: readonly string[] | undefined): boolean =>
  code === undefined || list === undefined || list.includes(code);

/** The issue of a code that a list does not have. */
export const unlisted = (path: string, code: string | undefined, list: readonly string[] | undefined): Issue[] =>
  isListed(code, list) ? [] : [choiceIssue(path, list ?? [])];
