import { withoutSeparators } from './separators.ts';

/** Whether the text is the number of an Australian branch: six digits. */
export function isBsb(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** A BSB without the dash. @example normaliseBsb('062-000') // '062000' */
export function normaliseBsb(text: string): string {
  return withoutSeparators(text);
}
