import { countryCode, defineMethod, field, type PayerText, text } from '@railyard/core';
import * as z from 'zod';

/** An id that the request carries or the payer types. The protocol gives it no length. */
const id = (label: PayerText) => field(text({ max: 255 }), { label, sources: ['payer'] });

interface ById<K extends string, P extends z.ZodRawShape> {
  readonly key: K;
  readonly title: PayerText;
  readonly parameters: P;
}

/** A method whose payer is known by an id and pays on the wallet’s page. No source gives it countries or currencies. */
const byId = <K extends string, P extends z.ZodRawShape>({ key, title, parameters }: ById<K, P>) =>
  defineMethod({
    key,
    title,
    operations: { purchase: { parameters: z.strictObject(parameters), completion: ['redirect'] } },
  });

const BY_DOCUMENT = { en: 'Wallet, by document', pt: 'Carteira, por documento' };
const document_number = id({ en: 'Document number', pt: 'Número do documento' });

/** A wallet’s page for the owner of a document (2-methods.md, Document-id redirect methods). */
export const documentRedirect = byId({
  key: 'document-redirect',
  title: BY_DOCUMENT,
  parameters: { document_number },
});

/** The same at another wallet. */
export const documentRedirectAlt = byId({
  key: 'document-redirect-alt',
  title: BY_DOCUMENT,
  parameters: { document_number },
});

/** The same with the type of the document, which some countries do without. */
export const documentRedirectTyped = byId({
  key: 'document-redirect-typed',
  title: BY_DOCUMENT,
  parameters: {
    document_number,
    document_type: field(text({ max: 255 }), {
      label: { en: 'Type of document', pt: 'Tipo de documento' },
      help: 'Not required of payers in Guatemala, Panama and Costa Rica.',
      when: { path: 'billing_address.country', notIn: ['GT', 'PA', 'CR'] },
      sources: ['payer'],
    }),
  },
});

/** A wallet’s page for one of its members (2-methods.md, Member-id redirect method). */
export const memberRedirect = byId({
  key: 'member-redirect',
  title: { en: 'Wallet, by member number', pt: 'Carteira, por número de cliente' },
  parameters: { memberId: id({ en: 'Your number at the wallet', pt: 'Seu número na carteira' }) },
});

/** Fields by the payer’s country: a personal number in Brazil, Chile and Colombia (2-methods.md, Country-dependent). */
export const countryFields = defineMethod({
  key: 'country-fields',
  title: { en: 'Wallet', pt: 'Carteira' },
  operations: {
    purchase: {
      needs: {
        'billing_address.country': field(countryCode(), {
          label: 'Country',
          input: 'country',
          autocomplete: 'country',
          sources: ['payer'],
        }),
      },
      parameters: z.strictObject({
        personalId: field(text({ max: 255, pattern: /^[0-9A-Za-z./ -]+$/ }), {
          label: { en: 'Personal identification number', pt: 'Número de identificação pessoal' },
          help: { en: 'Digits, and letters where it has some.', pt: 'Dígitos, e letras onde houver.' },
          when: { path: 'billing_address.country', in: ['BR', 'CL', 'CO'] },
          sources: ['payer'],
          example: '529.982.247-25',
        }),
      }),
      completion: ['redirect'],
    },
  },
});
