import { type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import { isCleanText } from './characters.ts';

/**
 * Looks through a block whose keys are the merchant's for what cannot be kept as it was sent: characters that no storage
 * takes, and numbers whose digits JSON.parse has already lost. One issue per value. The block is known to be shallow.
 */
export function freeFormIssues(path: string, value: unknown, allow: 'one-line' | 'free'): Issue[] {
  if (typeof value === 'string') return isCleanText(value, allow) ? [] : [issue(path, TEXTS.characters)];
  if (typeof value === 'number') return losesDigits(value) ? [issue(path, TEXTS.unsafeNumber)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    isCleanText(key) ? freeFormIssues(`${path}.${key}`, child, allow) : [issue(path, TEXTS.characters)],
  );
}

function losesDigits(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}
