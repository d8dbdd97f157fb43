import * as z from 'zod';
import { countryCodes } from '../country-codes.ts';
import { TEXTS } from '../issues/texts.ts';
import { currency } from '../money/currencies.ts';
import { isContainer } from '../plain-data.ts';
import { codePoints, inOneLine, isCleanText, isLongerThan } from './characters.ts';

export interface TextRule {
  /** In code points. Default 1. */
  readonly min?: number;
  /** In code points. */
  readonly max: number;
  readonly pattern?: RegExp;
  /** The text when the pattern does not match. */
  readonly message?: string;
}

/**
 * A string with one rule that names what is wrong with it. A blank string is always wrong.
 *
 * @param problem what to say of a text; nothing where it is right
 * @param meta keywords of JSON Schema that a rule of one's own cannot state by itself
 * @example checkedString((code) => (known.has(code) ? undefined : TEXTS.choice), { maxLength: 8 })
 */
export function checkedString(problem: (text: string) => string | undefined, meta: Record<string, unknown> = {}) {
  const check = z.check<string>((context) => {
    const text = context.value;
    const message = text.trim() === '' ? TEXTS.blank : problem(text);
    if (message !== undefined) context.issues.push({ code: 'custom', input: text, message });
  });
  // Each step of a chain of calls would make the schema anew, and a connector has hundreds of texts.
  return new z.ZodString({ type: 'string', checks: [check] }).register(z.globalRegistry, meta);
}

/** One line of any Unicode text: no control characters, no halves of surrogate pairs. */
export function text(rule: TextRule) {
  const { min = 1, max } = rule;
  return checkedString((value) => textProblem(value, rule), { minLength: min, maxLength: max });
}

/** A text that may be written in several lines. It is kept as it was sent, because it is signed so; people and providers are given it `inOneLine`. */
export function lines(rule: TextRule) {
  return checkedString((value) => textProblem(inOneLine(value), rule));
}

/** The problem of a text that is not blank; nothing where it is right. */
export function textProblem(
  value: string,
  { min = 1, max, pattern, message = TEXTS.notValid }: TextRule,
): string | undefined {
  if (!isCleanText(value)) return TEXTS.characters;
  // A character has one or two code units: only near the limit do they have to be counted.
  if (value.length < 2 * min && codePoints(value) < min) return TEXTS.tooShort(min);
  if (isLongerThan(value, max)) return TEXTS.tooLong(max);
  return pattern === undefined || pattern.test(value) ? undefined : message;
}

/** Basic Latin letters (protocol: customer.name), and what stands between the letters of a Latin name. */
const basicLatin = /^[A-Za-z][A-Za-z .'-]*$/;

/** Whether a name is in the letters to which the mapping setting `names: latin` holds a merchant (protocol: customer.name). */
export const isLatinName = (name: string): boolean => basicLatin.test(name);

/**
 * Letters and marks of every script, digits (`Henry 3rd`), and the marks that stand within names of people and firms: Catalan and Japanese
 * dots, the apostrophes that keyboards have, the joiners of Persian and Indic scripts. A name has a letter, and a digit stands before one.
 */
const anyName =
  /^(?=.*\p{L})(?!.*\p{Nd}(?![\p{L}\p{Nd}]))[\p{L}\p{M}\p{Nd} .,&/()+'\x60\u00b4\u00b7\u2018\u2019\u200c-\u200d\u2010-\u2013\u30fb\u05f3\u05f4-]+$/u;

/** The same in Latin script alone. */
const nameInLatinScript =
  /^(?=.*\p{L})(?!.*\p{Nd}(?![\p{L}\p{Nd}]))[\p{Script=Latin}\u02bc\p{M}\p{Nd} .,&/()+'\x60\u00b4\u00b7\u2018\u2019\u200c-\u200d\u2010-\u2013\u30fb\u05f3\u05f4-]+$/u;

/** The name of a person or a firm as it is written. Whether it has to be in Latin letters is for the merchant's mapping: see `Profile`. */
export function personName(rule: { readonly min: number; readonly max: number }) {
  return text({ ...rule, pattern: anyName });
}

/** The name of who is paid: Latin, with or without marks (protocol: payee.name, which no mapping governs). */
export function latinName(rule: { readonly min: number; readonly max: number }) {
  return text({ ...rule, pattern: nameInLatinScript });
}

const emailAddress =
  /^[\w!#$%&'*+/=?^\x60{|}~-][\w.!#$%&'*+/=?^\x60{|}~-]*@(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*\.)+\p{L}[\p{L}\p{N}\p{M}-]*$/u;

/** An e-mail address of 2 to 255 characters; the domain may be international. Two dots, or one at the end, are against RFC 5322, but mobile carriers of Japan gave such addresses out. */
export function email() {
  return text({ min: 2, max: 255, pattern: emailAddress, message: TEXTS.email });
}

/** Digits of any script with the marks that people put between them, and an extension. What only steers the direction is there in copies. */
const phoneNumber =
  /^(?:[(\p{Zs}\p{Cf}]*[+＋])?(?:[\p{Zs}\p{Cf}\p{Pd}()（）./·−]*\p{Nd})+[\p{Zs}\p{Cf})）]*(?:(?:,|;|;ext=|x|#|ext\.?|ramal)\p{Zs}*\p{Nd}{1,7}\p{Zs}*)?$/iu;

/**
 * A phone number in any plausible writing, of 1 to 32 characters. Which number it is depends on a country, so the service that takes the
 * request decides: it accepts nothing that this refuses, and it gives a flow E.164. A field of a method has `input: 'tel'` with it.
 */
export function phone() {
  return text({ max: 32, pattern: phoneNumber });
}

/** A day of the calendar as `YYYY-MM-DD`. */
export function day() {
  return z.iso.date();
}

/** ISO 3166-1 alpha-2, upper case. */
export function countryCode() {
  return checkedString((code) => (countryCodes.has(code) ? undefined : TEXTS.country));
}

/** ISO 4217 or a crypto asset, upper case. */
export function currencyCode() {
  return checkedString((code) => (currency(code) === undefined ? TEXTS.notValid : undefined));
}

export function uuid() {
  return text({ max: 36, pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, message: TEXTS.uuid });
}

/** A boolean; real clients also write it as `"true"`, `"false"`, `"Y"` and `"N"`. */
export function flag() {
  return z
    .union([z.boolean(), z.enum(['true', 'false', 'Y', 'N'])], { error: TEXTS.type('boolean') })
    .transform((value) => value === true || value === 'true' || value === 'Y');
}

/** A whole number within limits; real clients also write it as a string of digits. */
export function wholeNumber(min: number, max: number) {
  const digits = z.string().regex(/^(?:0|[1-9]\d{0,8})$/);
  return z
    .union([z.int(), digits.transform(Number)], { error: TEXTS.type('integer') })
    .refine((value) => value >= min && value <= max, TEXTS.between(min, max));
}

/** The problem of a text that is not blank, in words; nothing where it is right. */
type StringRule = (text: string) => string | undefined;

/** A list of strings whose problems are reported on the list itself, as the protocol does. Duplicates collapse. */
export function stringList(limits: { readonly min: number; readonly max: number }, item: StringRule) {
  const described = { items: { type: 'string' }, minItems: limits.min, maxItems: limits.max };
  const list = z.array(z.unknown()).register(z.globalRegistry, described);
  return list.transform((values, context): string[] => {
    const message = listProblem(values, limits, item);
    if (message !== undefined) context.issues.push({ code: 'custom', input: values, message });
    return [...new Set(values.filter((value) => typeof value === 'string'))];
  });
}

function listProblem(values: readonly unknown[], { min, max }: { min: number; max: number }, item: StringRule) {
  if (values.length < min) return TEXTS.tooFew(min);
  if (values.length > max) return TEXTS.tooMany(max);
  for (const value of values) {
    if (typeof value !== 'string') return value === null ? TEXTS.blank : TEXTS.type('string');
    const message = value.trim() === '' ? TEXTS.blank : item(value);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** An object whose keys are the merchant's. It is kept as sent. */
export function plainObject() {
  return z
    .custom<Record<string, unknown>>(isPlainObject, TEXTS.type('object'))
    .register(z.globalRegistry, { type: 'object' });
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}
