/** Fields that some clients send in every request. */
export const OFTEN_IDLE = [
  'vat_calc',
  'form_id',
  'schedule_id',
  'schedule_start_date',
  'payment_schedule_amount',
] as const;

const ASKS_FOR_NOTHING: ReadonlySet<unknown> = new Set([undefined, null, false, 'false', 'N']);

/** Whether a field asks for something: `false` is the default of every flag. */
export const isAsked = (value: unknown): boolean => !ASKS_FOR_NOTHING.has(value);

/** Removes fields that ask for nothing. Clients that always send every field send them. */
export function dropIdle(body: Record<string, unknown>): void {
  // To delete a missing field costs as much as to check it.
  for (const name of OFTEN_IDLE) if (name in body && !isAsked(body[name])) delete body[name];
}
