/**
 * A moment some minutes after another, as ISO 8601 in UTC: how long a simulated provider's codes are valid.
 *
 * @example minutesAfter(payment.createdAt, 30)
 */
export function minutesAfter(moment: string, minutes: number): string {
  return new Date(Date.parse(moment) + minutes * 60_000).toISOString();
}
