import { field, type FieldInfo, text } from '@railyard/core';
import { addressFields, customerFields } from '@railyard/core/payer';
import type * as z from 'zod';

/** A field of the session, with its own rule, that the payer is asked for where the request does not carry it. */
const asked = <S extends z.ZodType>(schema: S, info: FieldInfo): S => field(schema, { sources: ['payer'], ...info });

/** At least two words: a provider that wants a first and a last name cannot be given one word. */
export const fullName = (max: number) => text({ min: 2, max, pattern: /^\s*\S+\s+\S/ });

/** Session values of a person that a provider has to be told. */
export const person = {
  name: asked(fullName(200), {
    label: { en: 'First and last name', pt: 'Nome e sobrenome' },
    autocomplete: 'name',
    example: 'Ana Horvat',
  }),
  email: asked(customerFields.email, { label: 'E-mail', input: 'email', autocomplete: 'email' }),
  birthDate: asked(customerFields.birth_date, {
    label: { en: 'Date of birth', pt: 'Data de nascimento' },
    input: 'date',
    autocomplete: 'bday',
    example: '1990-04-23',
  }),
  phone: asked(addressFields.phone, { label: 'Phone number', input: 'tel', autocomplete: 'tel' }),
  country: asked(addressFields.country, { label: 'Country', input: 'country', autocomplete: 'country' }),
  address: asked(addressFields.address, { label: 'Address line', autocomplete: 'street-address' }),
  city: asked(addressFields.city, { label: 'City', autocomplete: 'address-level2' }),
  zip: asked(addressFields.zip, { label: 'Zip code', autocomplete: 'postal-code' }),
};

/** The last word is the last name (methods-catalogue.md, A32). */
export function nameParts(name: string): { readonly first: string; readonly last: string } {
  const words = name.trim().split(/\s+/);
  return { first: words.slice(0, -1).join(' '), last: words.at(-1) ?? '' };
}
