import { checkedString, TEXTS } from '@railyard/core';
import { isCnpj, normaliseCnpj } from '@railyard/identifiers/cnpj';
import { isCpf, normaliseCpf } from '@railyard/identifiers/cpf';

export type DocumentType = 'CPF' | 'CNPJ';

const CPF = /^\d{11}$/;
/** Letters in the first twelve places since July 2026 (Receita Federal, IN RFB 2229/2024). */
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

/** Which document the text has the form of. */
export function documentType(text: string): DocumentType | undefined {
  if (CPF.test(text)) return 'CPF';
  return CNPJ.test(text) ? 'CNPJ' : undefined;
}

/** Whether the check digits are right; false for what is no document at all. */
export function hasRightCheckDigits(text: string): boolean {
  return isCpf(text) || isCnpj(text);
}

/** Without the punctuation that people write: `529.982.247-25` and `12.ABC.345/01DE-35`. */
export function bareDocument(text: string): string {
  const bare = normaliseCpf(text);
  return CPF.test(bare) ? bare : normaliseCnpj(text);
}

/** A CPF or CNPJ as a merchant's system sends it: the bare number. */
export function bareDocumentSchema() {
  return documentSchema((text) => text);
}

/** A CPF or CNPJ as a payer types it, with or without punctuation; it stays as it was typed. */
export function typedDocumentSchema() {
  return documentSchema(bareDocument);
}

function documentSchema(bare: (text: string) => string) {
  return checkedString((text) => (documentType(bare(text)) === undefined ? TEXTS.notValid : undefined));
}

/** How the payer is asked for a document. */
export const DOCUMENT = {
  label: { en: 'CPF or CNPJ', pt: 'CPF ou CNPJ' },
  help: { en: 'With or without punctuation.', pt: 'Com ou sem pontuação.' },
} as const;

export const WRONG_CHECK_DIGITS = {
  en: 'The check digits of this document are not correct.',
  pt: 'Os dígitos verificadores deste documento não estão certos.',
} as const;
