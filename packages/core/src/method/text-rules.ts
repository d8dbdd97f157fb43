import type { TextRules } from '../connector/define-connector.ts';
import { type Issue, issue } from '../issues/issue.ts';
import type { ProfileTexts } from './profile.ts';

/** A connector's rules as a profile carries them. */
export const textsAsData = (texts: TextRules): ProfileTexts =>
  Object.fromEntries(
    Object.entries(texts).map(([name, { pattern, says }]) => [name, { pattern: pattern.source, says }]),
  );

/** The texts that the provider does not take. @param pathOf the path of a parameter in the request */
export function textIssues(
  texts: ProfileTexts | undefined,
  values: Readonly<Record<string, unknown>>,
  pathOf: (name: string) => string,
): Issue[] {
  return Object.entries(texts ?? {}).flatMap(([name, { pattern, says }]) => {
    const value = values[name];
    return typeof value === 'string' && !new RegExp(pattern, 'u').test(value) ? [issue(pathOf(name), says)] : [];
  });
}
