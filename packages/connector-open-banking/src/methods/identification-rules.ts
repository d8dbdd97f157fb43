import type { Rule, RuleResult } from '@railyard/core';
import { TEXTS } from '@railyard/core';
import { blzLength, isBlz } from '@railyard/identifiers/blz';
import { isClabe } from '@railyard/identifiers/clabe';
import { countryOfIban } from '@railyard/identifiers/iban';
import { isNcc, nccDigits } from '@railyard/identifiers/ncc';
import * as z from 'zod';
import { type Identification, identificationTypes, type IdentificationType } from '../identifications.ts';

const LIST = 'payee_identifications';

const listed = z.array(z.object({ type: z.enum(identificationTypes), identification: z.string() }));

type Parameters = Readonly<Record<string, unknown>>;

const itemsOf = (parameters: Parameters): readonly Identification[] => listed.parse(parameters[LIST]);
const countryOf = ({ payee_country }: Parameters): string => String(payee_country);

const wrong = (at: number, message: string): RuleResult => ({ path: `${LIST}.${at}.identification`, message });

/** The message about the first wrong item. */
function firstWrong(
  items: readonly Identification[],
  messageOf: (item: Identification, at: number) => string | undefined,
): RuleResult {
  for (const [at, item] of items.entries()) {
    const message = messageOf(item, at);
    if (message !== undefined) return wrong(at, message);
  }
  return undefined;
}

const eachOnce: Rule = {
  paths: [LIST],
  level: 'error',
  says: 'Each type is given once.',
  check(parameters) {
    const types = itemsOf(parameters).map(({ type }) => type);
    const at = types.findIndex((type, index) => types.indexOf(type) < index);
    return at < 0 ? undefined : { path: `${LIST}.${at}.type`, message: `${TEXTS.notValid} Give each type once.` };
  },
};

/** Codes of a bank or a branch, which name no account by themselves (reference/methods-catalogue.md, 20). */
const NEEDS_ACCOUNT: ReadonlySet<IdentificationType> = new Set([
  'SORT_CODE',
  'BSB',
  'ABA',
  'ABA_WIRE',
  'ABA_ACH',
  'IFS',
]);

const accountBesideBranch: Rule = {
  paths: [LIST],
  level: 'error',
  says: `${[...NEEDS_ACCOUNT].join(', ')} need an ACCOUNT_NUMBER beside them.`,
  check(parameters) {
    const types = itemsOf(parameters).map(({ type }) => type);
    const branch = types.find((type) => NEEDS_ACCOUNT.has(type));
    return branch === undefined || types.includes('ACCOUNT_NUMBER')
      ? undefined
      : { path: LIST, message: `${TEXTS.notValid} ${branch} needs an ACCOUNT_NUMBER beside it.` };
  },
};

const eightDigitsBesideSortCode: Rule = {
  paths: [LIST],
  level: 'error',
  says: 'An ACCOUNT_NUMBER beside a SORT_CODE has 8 digits.',
  check(parameters) {
    const items = itemsOf(parameters);
    if (!items.some(({ type }) => type === 'SORT_CODE')) return undefined;
    return firstWrong(items, ({ type, identification }) =>
      type !== 'ACCOUNT_NUMBER' || /^\d{8}$/.test(identification)
        ? undefined
        : `${TEXTS.notValid} Expected 8 digits beside a SORT_CODE.`,
    );
  },
};

const digits = ({ min, max }: { readonly min: number; readonly max: number }) =>
  min === max ? `${min} digits` : `${min} to ${max} digits`;

const codesOfCountry: Rule = {
  paths: [LIST, 'payee_country'],
  level: 'error',
  says: `A BLZ has the length of payee_country, and so has an NCC of ${Object.keys(nccDigits).join(', ')}.`,
  check(parameters) {
    const country = countryOf(parameters);
    return firstWrong(itemsOf(parameters), ({ type, identification }) => {
      if (type === 'BLZ' && !isBlz(identification, country))
        return `${TEXTS.notValid} Expected ${blzLength(country)} digits in ${country}.`;
      const known = nccDigits[country];
      return type !== 'NCC' || known === undefined || isNcc(identification, country)
        ? undefined
        : `${TEXTS.notValid} Expected ${digits(known)} in ${country}.`;
    });
  },
};

/** Published samples fail the check digit (reference/methods-facts.md, 6). */
const clabeCheckDigit: Rule = {
  paths: [LIST],
  level: 'document',
  says: 'The check digit of a CLABE is right.',
  check: (parameters) =>
    firstWrong(itemsOf(parameters), ({ type, identification }) =>
      type !== 'CLABE' || isClabe(identification) ? undefined : 'The check digit of this CLABE is not correct.',
    ),
};

const ibanOfCountry: Rule = {
  paths: [LIST, 'payee_country'],
  level: 'document',
  says: 'An IBAN is of payee_country.',
  check(parameters) {
    const country = countryOf(parameters);
    return firstWrong(itemsOf(parameters), ({ type, identification }) =>
      type !== 'IBAN' || countryOfIban(identification) === country
        ? undefined
        : `This IBAN is of ${countryOfIban(identification)}, payee_country is ${country}.`,
    );
  },
};

/** Rules between the identifications, and between them and the country. */
export const identificationRules: readonly Rule[] = [
  eachOnce,
  accountBesideBranch,
  eightDigitsBesideSortCode,
  codesOfCountry,
  clabeCheckDigit,
  ibanOfCountry,
];
