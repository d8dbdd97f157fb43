import { TEXTS } from '@railyard/core';
import { countriesWithStates } from '@railyard/core/payer';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import type { MerchantConfig } from '../deployment/catalogue-schema.ts';
import { isPlainLatinName, plainLatin } from '../rules/browser/latin.js';
import { countryNamed, stateNamed } from './place-names.ts';

type Answers = Readonly<Record<string, string>>;
type Request = Pick<SessionRequest, 'billing_address'>;

const NAME = 'customer.name';
export const COUNTRY = 'billing_address.country';
export const STATE = 'billing_address.state';

/** Why a name was not taken. */
export const LATIN_TEXT = 'Write the name in Latin letters.';

type Names = MerchantConfig['names'];

/** A name in the letters that the merchant's mapping wants. */
export const nameIn = (names: Names, name: string): string => (names === 'latin' ? plainLatin(name) : name.trim());

/** The payer's entries as protocol values: `Brasil` is `BR`, `California` is `CA`, `José` is `Jose` where names are in Latin letters. Others stay as they are. */
export function understood(answers: Answers, request: Request, names: Names): Answers {
  const words: Record<string, string> = { ...answers };
  const { [NAME]: name, [COUNTRY]: country, [STATE]: state } = answers;
  if (name !== undefined) words[NAME] = nameIn(names, name);
  if (country !== undefined) words[COUNTRY] = countryNamed(country) ?? country;
  const of = request.billing_address?.country ?? words[COUNTRY];
  if (state === undefined || of === undefined) return words;
  // Other addresses have none (protocol: billing_address.state).
  if (countriesWithStates.has(of)) words[STATE] = stateNamed(of, state) ?? state;
  else delete words[STATE];
  return words;
}

/** Problems with the converted entries, beyond the checks of the method's fields. */
export function answerIssues(answers: Answers, request: Request, names: Names): Issue[] {
  const { [NAME]: name, [COUNTRY]: country, [STATE]: state } = answers;
  const of = request.billing_address?.country ?? country;
  const issues: Issue[] = [];
  if (names === 'latin' && name !== undefined && !isPlainLatinName(name)) issues.push(issue(NAME, LATIN_TEXT));
  if (state !== undefined && of !== undefined && stateNamed(of, state) === undefined)
    issues.push(issue(STATE, TEXTS.choice));
  return issues;
}
