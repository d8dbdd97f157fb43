import { TEXTS } from '@railyard/core';
import { countriesWithStates } from '@railyard/core/payer';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import { isPlainLatinName, plainLatin } from '../rules/browser/latin.js';
import { countryNamed, stateNamed } from './place-names.ts';

type Answers = Readonly<Record<string, string>>;
type Request = Pick<SessionRequest, 'billing_address'>;

const NAME = 'customer.name';
export const COUNTRY = 'billing_address.country';
export const STATE = 'billing_address.state';

/** Why a name was not taken. */
export const LATIN_TEXT = 'Write the name in Latin letters.';

/** The payer's entries as protocol values: `Brasil` is `BR`, `California` is `CA`, `José` is `Jose`. Others stay as they are. */
export function understood(answers: Answers, request: Request): Answers {
  const words: Record<string, string> = { ...answers };
  const { [NAME]: name, [COUNTRY]: country, [STATE]: state } = answers;
  if (name !== undefined) words[NAME] = plainLatin(name);
  if (country !== undefined) words[COUNTRY] = countryNamed(country) ?? country;
  const of = request.billing_address?.country ?? words[COUNTRY];
  if (state === undefined || of === undefined) return words;
  // Other addresses have none (protocol: billing_address.state).
  if (countriesWithStates.has(of)) words[STATE] = stateNamed(of, state) ?? state;
  else delete words[STATE];
  return words;
}

/** Problems with the converted entries, beyond the checks of the method's fields. */
export function answerIssues(answers: Answers, request: Request): Issue[] {
  const { [NAME]: name, [COUNTRY]: country, [STATE]: state } = answers;
  const of = request.billing_address?.country ?? country;
  const issues: Issue[] = [];
  if (name !== undefined && !isPlainLatinName(name)) issues.push(issue(NAME, LATIN_TEXT));
  if (state !== undefined && of !== undefined && stateNamed(of, state) === undefined)
    issues.push(issue(STATE, TEXTS.choice));
  return issues;
}
