import { field, type PayerText, phone, type Rule, text, TEXTS } from '@railyard/core';
import { isE164, isPhoneOf, type PhoneCountry } from '@railyard/identifiers/phone';

interface PhoneField {
  readonly label?: PayerText;
  readonly help?: PayerText;
  readonly example?: string;
}

const LABEL = { en: 'Mobile number', pt: 'Número do celular' };

/** A number that the request carries or the payer types on the page (protocol: the phone is collected on Checkout). The flow gets E.164. */
export function askedPhone({ label = LABEL, help, example = '254712345678' }: PhoneField = {}) {
  return field(phone(), {
    label,
    ...(help !== undefined && { help }),
    example,
    input: 'tel',
    autocomplete: 'tel',
    sources: ['payer'],
  });
}

/** Money that goes to a wrong number does not come back: a merchant's system writes the calling code, and no marks. */
const MSISDN = /^\+?[1-9]\d{7,14}$/;

/** The number of a receiver, as a merchant's system sends it. The flow gets E.164. */
export const receiverPhone = (example: string) =>
  field(text({ max: 16, pattern: MSISDN }), {
    label: 'Number of the receiver',
    help: 'Digits with the calling code.',
    example,
    input: 'tel',
  });

/** Of any writing but E.164 the service decides, which gives flows E.164 alone. */
export const maybeOf = (country: PhoneCountry, number: unknown): boolean =>
  !isE164(String(number)) || isPhoneOf(country, String(number));

/** Of a method that has one country. */
export const numberOf = (country: PhoneCountry): Rule => ({
  paths: ['mobile_number'],
  level: 'error',
  says: `mobile_number, in E.164, has the calling code and the length of ${country}.`,
  check: ({ mobile_number: number }) =>
    maybeOf(country, number) ? undefined : { path: 'mobile_number', message: TEXTS.notValid },
});
