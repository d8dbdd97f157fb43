import { type Issue, issue } from '../issues/index.ts';

const schedules = 'Recurring schedules are not supported yet. Leave this field out.';

/**
 * Fields that the protocol names and that have no effect here: a request that asks for one is refused, because a merchant who is not
 * refused relies on it. By name, each with what to do.
 */
export const NOT_BUILT = {
  schedule_id: schedules,
  schedule_start_date: schedules,
  payment_schedule_amount: schedules,
  recurring_consent_required: schedules,
  vat_calc: 'VAT is not calculated: the amount is charged as it is sent. Send false or leave this field out.',
  form_id: 'Custom payment forms are not supported. Leave this field out to use the standard page.',
} as const;

export type NotBuiltField = keyof typeof NOT_BUILT;

const MESSAGES = Object.entries(NOT_BUILT);

const ASKS_FOR_NOTHING: ReadonlySet<unknown> = new Set([undefined, null, false, 'false', 'N']);

/** Whether one of these fields asks for something. */
const isAsked = (value: unknown): boolean => !ASKS_FOR_NOTHING.has(value);

/** The names of those that are there and ask for nothing, as clients send them that always send every field. */
export function idleFields(body: Readonly<Record<string, unknown>>): string[] {
  return MESSAGES.flatMap(([name]) => (name in body && !isAsked(body[name]) ? [name] : []));
}

/** One issue for each field that asks for what is not built. */
export function notBuiltIssues(body: Readonly<Record<string, unknown>>): Issue[] {
  return MESSAGES.flatMap(([name, message]) => (isAsked(body[name]) ? [issue(name, message)] : []));
}
