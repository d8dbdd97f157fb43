import { day, email, field, text } from '@railyard/core';

/** At least two words: a provider that wants a first and a last name cannot be given one word. */
const fullName = (max: number) => text({ min: 2, max, pattern: /^\s*\S+\s+\S/ });

/** Session values of a person that a provider has to be told; the payer is asked for those that are missing. */
export const person = {
  name: (max = 200) =>
    field(fullName(max), {
      label: { en: 'First and last name', pt: 'Nome e sobrenome' },
      input: 'text',
      autocomplete: 'name',
      sources: ['payer'],
      example: 'Ana Horvat',
    }),
  email: () => field(email(), { label: 'E-mail', input: 'email', autocomplete: 'email', sources: ['payer'] }),
  birthDate: () =>
    field(day(), {
      label: { en: 'Date of birth', pt: 'Data de nascimento' },
      input: 'date',
      autocomplete: 'bday',
      sources: ['payer'],
      example: '1990-04-23',
    }),
};

/** The last word is the last name (methods-catalogue.md, A32). */
export function nameParts(name: string): { readonly first: string; readonly last: string } {
  const words = name.trim().split(/\s+/);
  return { first: words.slice(0, -1).join(' '), last: words.at(-1) ?? '' };
}
