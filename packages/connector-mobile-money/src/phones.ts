import { field, type PayerText, TEXTS } from '@railyard/core';
import { barePhone, isPhoneOf, type PhoneCountry, toE164 } from '@railyard/identifiers/phone';
import * as z from 'zod';

/** A phone number as E.164, whatever its country; `read` takes off what may stand between the digits. */
function phoneSchema(read: (text: string) => string, country?: PhoneCountry) {
  return z.string().transform((text, context) => {
    const number = toE164(read(text));
    if (number !== undefined && (country === undefined || isPhoneOf(country, number))) return number;
    const message = text.trim() === '' ? TEXTS.blank : TEXTS.notValid;
    context.issues.push({ code: 'custom', input: text, message });
    return z.NEVER;
  });
}

/** A number as a merchant's system sends it: digits with the calling code, with or without a plus. */
export const sentPhone = () => phoneSchema((text) => text);

interface PhoneField {
  readonly label?: PayerText;
  readonly help?: PayerText;
  readonly example?: string;
  readonly country?: PhoneCountry;
}

const LABEL = { en: 'Mobile number', pt: 'Número do celular' };
const HELP = { en: 'With the country code.', pt: 'Com o código do país.' };

/** A number that the request carries or the payer types on the page (protocol: the phone is collected on Checkout). */
export function askedPhone({ label = LABEL, help = HELP, example = '254712345678', country }: PhoneField = {}) {
  return field(phoneSchema(barePhone, country), {
    label,
    help,
    example,
    input: 'tel',
    autocomplete: 'tel',
    sources: ['payer'],
  });
}
