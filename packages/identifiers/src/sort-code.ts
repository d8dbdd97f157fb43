import { withoutSeparators } from './separators.ts';

/** Whether the text is a British sort code: six digits. Which banks there are, and their check of accounts, is not looked up. */
export function isSortCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** A sort code without dashes and spaces. @example normaliseSortCode('04-00-04') // '040004' */
export function normaliseSortCode(text: string): string {
  return withoutSeparators(text);
}
