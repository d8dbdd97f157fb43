import { type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import { isContainer } from '../plain-data.ts';
import { isCleanText } from './characters.ts';

/**
 * Looks through a block whose keys are the merchant's for what cannot be kept as it was sent: characters that no storage
 * takes, and numbers whose digits JSON.parse has already lost. One issue per value. The block is known to be shallow.
 */
export function freeFormIssues(path: string, value: unknown, allow: 'one-line' | 'free', found: Issue[] = []): Issue[] {
  if (typeof value === 'string') {
    if (!isCleanText(value, allow)) found.push(issue(path, TEXTS.characters));
  } else if (typeof value === 'number') {
    if (losesDigits(value)) found.push(issue(path, TEXTS.unsafeNumber));
  } else if (isContainer(value))
    for (const key of Object.keys(value))
      if (isCleanText(key)) freeFormIssues(`${path}.${key}`, value[key], allow, found);
      else found.push(issue(path, TEXTS.characters));
  return found;
}

function losesDigits(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}
