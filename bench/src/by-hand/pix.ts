import type { Money } from '@railyard/core';
import { isCnpj } from '@railyard/identifiers/cnpj';
import { isCpf } from '@railyard/identifiers/cpf';
import { midDefaults } from '../typical.ts';
import { type Fields, isText } from './checks.ts';
import type { HandSession } from './session.ts';

/** The method's values as the provider gets them. */
export interface HandPix {
  readonly fine: string | undefined;
  readonly type_fine: 'VALUE' | 'PERCENT' | 'NONE';
  readonly branch_identifier: string;
  readonly source_account_number: string;
  readonly type_document: string | undefined;
  readonly debtor_document: string | undefined;
  readonly debtor_name: string | undefined;
  readonly warnings: number;
}

const names = new Set([
  'fine',
  'type_fine',
  'branch_identifier',
  'source_account_number',
  'type_document',
  'debtor_document',
  'debtor_name',
]);

/** Checks and completes `parameters.pix` of a purchase; `undefined` where anything is wrong. */
export function handPix(own: Fields): HandPix | undefined {
  for (const name of Object.keys(own)) if (!names.has(name)) return undefined;
  const { fine, type_fine = 'NONE', type_document, debtor_document, debtor_name } = own;
  const {
    branch_identifier = midDefaults.branch_identifier,
    source_account_number = midDefaults.source_account_number,
  } = own;
  if (type_fine !== 'NONE' && type_fine !== 'VALUE' && type_fine !== 'PERCENT') return undefined;
  if (fine === undefined ? type_fine !== 'NONE' : !isFine(fine, type_fine)) return undefined;
  if (typeof branch_identifier !== 'string' || !/^\d{4}$/.test(branch_identifier)) return undefined;
  if (!isText(source_account_number, 1, 255)) return undefined;
  if (debtor_name !== undefined && !isText(debtor_name, 1, 25)) return undefined;
  const kind = debtor_document === undefined ? undefined : kindOf(debtor_document);
  if (debtor_document !== undefined && kind === undefined) return undefined;
  if (type_document !== undefined && type_document !== 'CPF' && type_document !== 'CNPJ') return undefined;
  if (type_document !== undefined && kind !== undefined && kind !== type_document) return undefined;
  const document = typeof debtor_document === 'string' ? debtor_document : undefined;
  return {
    fine: typeof fine === 'string' ? fine : undefined,
    type_fine,
    branch_identifier,
    source_account_number,
    type_document: document === undefined ? undefined : (type_document ?? kind),
    debtor_document: document,
    debtor_name,
    warnings: document === undefined || isCpf(document) || isCnpj(document) ? 0 : 1,
  };
}

function isFine(fine: unknown, type: string): fine is string {
  if (typeof fine !== 'string' || !/^(?:0|[1-9]\d{0,9})(?:\.\d{1,2})?$/.test(fine)) return false;
  return type !== 'NONE' || /^[0.]+$/.test(fine);
}

function kindOf(document: unknown): 'CPF' | 'CNPJ' | undefined {
  if (typeof document !== 'string') return undefined;
  if (/^\d{11}$/.test(document)) return 'CPF';
  return /^[0-9A-Z]{12}\d{2}$/.test(document) ? 'CNPJ' : undefined;
}

/** Whether Pix takes the amount: reais within what a code can carry. */
export function isPixAmount({ currency, minor }: Money): boolean {
  return currency === 'BRL' && minor >= 1n && minor <= 999_999_999_999n;
}

/** The first request to the provider. */
export function pixRequest(
  { order, amount }: HandSession,
  pix: HandPix,
  reference: string,
  notify: string,
  apiKey: string,
) {
  const {
    fine = '0',
    type_fine,
    branch_identifier,
    source_account_number,
    type_document,
    debtor_document,
    debtor_name,
  } = pix;
  const whole = amount.minor / 100n;
  return {
    headers: { 'x-api-key': apiKey },
    json: {
      external_id: reference,
      amount: `${whole}.${String(amount.minor % 100n).padStart(2, '0')}`,
      description: order.description,
      callback_url: notify,
      type_fine,
      branch_identifier,
      source_account_number,
      ...(debtor_name !== undefined && { debtor_name }),
      fine,
      ...(debtor_document !== undefined && { type_document, debtor_document }),
      currency: 'BRL',
    },
  };
}
