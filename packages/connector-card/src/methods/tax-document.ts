import { checkedString, countryCode, type Rule, TEXTS } from '@railyard/core';
import { isCpf, normaliseCpf } from '@railyard/identifiers/cpf';
import * as z from 'zod';
import { anyText, inSet } from './card-set.ts';

/** Eleven digits, with or without the punctuation that people write. One digit eleven times was never issued. */
function cpf() {
  return checkedString((text) => {
    const bare = normaliseCpf(text);
    return /^\d{11}$/.test(bare) && !/^(\d)\1+$/.test(bare) ? undefined : TEXTS.notValid;
  });
}

const required = inSet('tax-document', ['document_type', 'document_number', 'social_name', 'fiscal_country']);

/** Set 2 of the protocol. `toBankAccountId` stands in its sample without a description, so it is passed on as it is. */
export const taxDocument = {
  document_type: required(z.enum(['cpf']), { label: 'Kind of the document' }),
  document_number: required(cpf(), { label: 'CPF', help: 'With or without punctuation.', example: '52998224725' }),
  social_name: required(anyText, { label: 'Social name of the client' }),
  fiscal_country: required(countryCode(), { label: 'Tax country', example: 'BR' }),
  toBankAccountId: inSet('tax-document')(anyText, {
    label: 'Bank account',
  }).optional(),
};

export const taxDocumentRules: readonly Rule[] = [
  {
    paths: ['document_number'],
    level: 'document',
    says: 'The check digits of document_number are right.',
    check: ({ document_number }) =>
      isCpf(normaliseCpf(String(document_number)))
        ? undefined
        : { path: 'document_number', message: 'The check digits of this document are not correct.' },
  },
];
