import { createHash } from 'node:crypto';

/** The idempotency key of a step: the same for every send of the same step of the same run, in the form of a UUID. */
export function stepKey(run: string, step: string): string {
  const hex = createHash('sha256').update(`${run}\n${step}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
