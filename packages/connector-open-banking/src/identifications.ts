import { isCleanText } from '@railyard/core';
import { isAba } from '@railyard/identifiers/aba';
import { isBic, normaliseBic } from '@railyard/identifiers/bic';
import { isBlz } from '@railyard/identifiers/blz';
import { isBsb, normaliseBsb } from '@railyard/identifiers/bsb';
import { isCardNumber, isMaskedCardNumber } from '@railyard/identifiers/card-number';
import { checkClabe } from '@railyard/identifiers/clabe';
import { isBban, isIban, normaliseIban } from '@railyard/identifiers/iban';
import { isIfsc } from '@railyard/identifiers/ifsc';
import { isNcc } from '@railyard/identifiers/ncc';
import { isE164, withoutPlus } from '@railyard/identifiers/phone';
import { isSortCode, normaliseSortCode } from '@railyard/identifiers/sort-code';

/** How the values of one type are read. */
interface Reading {
  /** In words, after "Expected". */
  readonly expected: string;
  /** The form in which a value is sent on; nothing where it is none of the type. */
  readonly read: (text: string) => string | undefined;
}

/** Takes values as they are. */
const asIs = (expected: string, isRight: (text: string) => boolean): Reading => ({
  expected,
  read: (text) => (isRight(text) ? text : undefined),
});

/** Takes values as people write them. */
const written = (
  expected: string,
  normalise: (text: string) => string,
  isRight: (text: string) => boolean,
): Reading => ({
  expected,
  read(text) {
    const bare = normalise(text);
    return isRight(bare) ? bare : undefined;
  },
});

const alphanumerics = (max: number): Reading =>
  asIs(`1 to ${max} letters and digits`, (text) => text.length <= max && /^[0-9A-Za-z]+$/.test(text));

const free = (max: number): Reading =>
  asIs(`1 to ${max} characters`, (text) => text.length <= max && text.trim() !== '' && isCleanText(text));

const routingNumber = asIs('9 digits with their check digit', isAba);

/**
 * The types of the protocol (2-methods.md, Open-banking method) in its order, and how each is read (reference/methods-facts.md, 8).
 * Checks that depend on the country or on another item are rules of the method.
 */
const READINGS = {
  SORT_CODE: written('6 digits', normaliseSortCode, isSortCode),
  ACCOUNT_NUMBER: alphanumerics(34),
  IBAN: written('an IBAN with right check digits', normaliseIban, isIban),
  BBAN: asIs('1 to 30 letters and digits', isBban),
  BIC: written('8 or 11 letters and digits', normaliseBic, isBic),
  PAN: asIs('12 to 19 digits with their check digit', isCardNumber),
  MASKED_PAN: asIs('12 to 19 digits, some of them hidden by * or X', isMaskedCardNumber),
  MSISDN: {
    expected: '8 to 15 digits with the calling code',
    read(text) {
      // An MSISDN has its calling code by definition (ITU-T E.164), with or without the plus.
      const digits = withoutPlus(text);
      return isE164(`+${digits}`) ? digits : undefined;
    },
  },
  BSB: written('6 digits', normaliseBsb, isBsb),
  NCC: asIs('1 to 35 letters and digits', (text) => isNcc(text)),
  ABA: routingNumber,
  ABA_WIRE: routingNumber,
  ABA_ACH: routingNumber,
  ROLL_NUMBER: free(18),
  BLZ: asIs('8 digits, or 5 in Austria', (text) => isBlz(text, 'DE') || isBlz(text, 'AT')),
  IFS: asIs('4 letters, a zero, 6 letters or digits', isIfsc),
  // Published samples fail the check digit, so that it is a rule of its own.
  CLABE: asIs('18 digits', (text) => {
    const checked = checkClabe(text);
    return checked.ok || checked.reason === 'checksum';
  }),
  CTN: free(34),
  BRANCH_CODE: free(34),
  VIRTUAL_ACCOUNT_ID: free(34),
} as const satisfies Readonly<Record<string, Reading>>;

export type IdentificationType = keyof typeof READINGS;

/** How an account may be named, in the protocol's order. */
export const identificationTypes = Object.keys(READINGS).filter(isIdentificationType);

function isIdentificationType(name: string): name is IdentificationType {
  return Object.hasOwn(READINGS, name);
}

/** One name of the payee's account. */
export interface Identification {
  readonly type: IdentificationType;
  readonly identification: string;
}

/** The form in which an identification is sent on; nothing where its value is none of its type. */
export function readIdentification({ type, identification }: Identification): string | undefined {
  return READINGS[type].read(identification);
}

/** The form of a value of the type, in words. @example expectedOf('SORT_CODE') // '6 digits' */
export function expectedOf(type: IdentificationType): string {
  return READINGS[type].expected;
}
