import { countriesWithStates } from '../country-codes.ts';
import { type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import type { Operation } from '../method/operation.ts';
import { isPlainObject } from './fields.ts';
import { isAsked } from './idle-fields.ts';
import type { SoundFields } from './sound-fields.ts';

type Body = Readonly<Record<string, unknown>>;

export interface RuleContext {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly endpoint?: 'session' | 'token';
}

/** Fields that only some operations have (protocol: Operation-specific parameters; Credit with a saved token). */
const onlyFor: readonly (readonly [string, readonly Operation[]])[] = [
  ['req_token', ['purchase', 'debit']],
  ['card_token', ['purchase', 'debit', 'credit']],
  ['auth', ['purchase']],
  ['recurring_init', ['purchase', 'debit']],
  ['vat_calc', ['purchase']],
];

/** The rules between fields, over a body whose fields may be wrong one by one. */
export function ruleIssues(body: Body, fields: SoundFields, context: RuleContext): Issue[] {
  return [
    ...operationIssues(body, fields.operation),
    ...payeeIssues(body, fields.operation),
    ...scheduleIssues(body, fields, context),
    ...customerIssues(body.customer, fields, context),
    ...taxIssues(body),
    ...stateIssues('billing_address', body.billing_address),
    ...stateIssues('payee_billing_address', body.payee_billing_address),
  ];
}

function operationIssues(body: Body, operation: Operation | undefined): Issue[] {
  if (operation === undefined) return [];
  const issues: Issue[] = [];
  for (const [field, operations] of onlyFor)
    if (isAsked(body[field]) && !operations.includes(operation))
      issues.push(issue(field, TEXTS.onlyFor(`operation ${operations.join(' or ')}`)));
  return issues;
}

function payeeIssues(body: Body, operation: Operation | undefined): Issue[] {
  // A payout to a saved card goes to the name on it (protocol: Credit with a saved token).
  const isNeeded = operation === 'transfer' || (operation === 'credit' && body.card_token === undefined);
  return isNeeded && body.payee === undefined ? [issue('payee', TEXTS.blank)] : [];
}

function scheduleIssues(body: Body, fields: SoundFields, { today }: RuleContext): Issue[] {
  const issues: Issue[] = [];
  const { recurring_consent_required: consent, recurring_init: recurring, schedule_start_date: start } = fields;
  const needsSchedule =
    consent === true || body.schedule_start_date !== undefined || body.payment_schedule_amount !== undefined;
  if (needsSchedule && body.schedule_id === undefined) issues.push(issue('schedule_id', TEXTS.blank));
  if (body.schedule_id !== undefined && recurring !== true)
    issues.push(issue('schedule_id', TEXTS.onlyFor('recurring_init true')));
  if (start !== undefined) issues.push(...dayIssues('schedule_start_date', start, today, yearsAfter(today, 20)));
  return issues;
}

/** ISO days compare as text. */
function dayIssues(path: string, day: string, first: string, last: string): Issue[] {
  if (day < first) return [issue(path, TEXTS.atLeast(first))];
  return day > last ? [issue(path, TEXTS.atMost(last))] : [];
}

function yearsAfter(day: string, years: number): string {
  return `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;
}

function customerIssues(customer: unknown, fields: SoundFields, { today, endpoint }: RuleContext): Issue[] {
  if (!isPlainObject(customer)) return [];
  const issues: Issue[] = [];
  const birth = fields.customer?.birth_date;
  if (birth !== undefined) issues.push(...dayIssues('customer.birth_date', birth, '1900-01-01', today));
  if (endpoint !== 'token' && customer.ip !== undefined) issues.push(issue('customer.ip', TEXTS.unexpected));
  return issues;
}

/** The rate is that of the payer's country (docs/decisions/vat.md). */
function taxIssues({ vat_calc, billing_address: address }: Body): Issue[] {
  const hasCountry = isPlainObject(address) && address.country !== undefined;
  return isAsked(vat_calc) && !hasCountry ? [issue('billing_address.country', TEXTS.blank)] : [];
}

/** Where a country has states in its addresses, the state is a code of two letters (protocol: billing_address.state). */
function stateIssues(path: string, address: unknown): Issue[] {
  if (!isPlainObject(address)) return [];
  const { country, state } = address;
  if (typeof state !== 'string' || typeof country !== 'string' || !countriesWithStates.has(country)) return [];
  if (state.length !== 2) return [issue(`${path}.state`, state === '' ? TEXTS.blank : TEXTS.exactLength(2))];
  return /^[A-Za-z]{2}$/.test(state) ? [] : [issue(`${path}.state`, TEXTS.notValid)];
}
