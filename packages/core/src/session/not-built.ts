import { type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';

/**
 * Fields that the protocol names and that have no effect here: a request that asks for one is refused, because a merchant who is not
 * refused relies on it.
 */
export const NOT_BUILT = ['vat_calc', 'form_id'] as const;

/** Fields beside these that some clients send in every request. */
const OFTEN_IDLE = [...NOT_BUILT, 'schedule_id', 'schedule_start_date', 'payment_schedule_amount'] as const;

export type NotBuiltField = (typeof NOT_BUILT)[number];

const ASKS_FOR_NOTHING: ReadonlySet<unknown> = new Set([undefined, null, false, 'false', 'N']);

/** Whether a field asks for something: `false` is the default of every flag. */
export const isAsked = (value: unknown): boolean => !ASKS_FOR_NOTHING.has(value);

/** Takes out those that ask for nothing, as clients send them that always send every field. */
export function dropIdle(body: Record<string, unknown>): void {
  // To delete what is not there costs as much as to check a field.
  for (const name of OFTEN_IDLE) if (name in body && !isAsked(body[name])) delete body[name];
}

/** One issue for each field that asks for what is not built. */
export function notBuiltIssues(body: Readonly<Record<string, unknown>>): Issue[] {
  const issues: Issue[] = [];
  for (const name of NOT_BUILT) if (isAsked(body[name])) issues.push(issue(name, TEXTS.notBuilt));
  return issues;
}
