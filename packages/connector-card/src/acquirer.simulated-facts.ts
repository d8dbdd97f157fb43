import { readPath } from '@railyard/core';
import type { SimulatedPayment } from '@railyard/core/simulation';
import { expiryOf } from './acquirer.test-cards.ts';

/** So many digits, always the same for a text. */
function digitsOf(text: string, count: number): string {
  const codes = [...text].map((letter) => letter.charCodeAt(0) % 10).join('');
  return codes.repeat(Math.ceil(count / codes.length)).slice(0, count);
}

/** A UUID, always the same for a text. */
const uuidOf = (text: string) => digitsOf(text, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');

const numbersOf = (id: string) => ({ arn: digitsOf(`a${id}`, 23), rrn: digitsOf(`r${id}`, 12) });

/** The facts of a payment: numbers once it was approved, and how 3-D Secure went where the payer's browser was described. */
export function factsOfPayment({ id, status, request, currency, amount }: SimulatedPayment) {
  const isApproved = status === 'APPROVED' || status === 'AUTHORISED';
  return {
    ...(isApproved && {
      ...numbersOf(id),
      approval_code: digitsOf(id, 6),
      issuer: { bank: 'Example Bank', country: 'US' },
    }),
    ...(isApproved && currency === 'EUR' && { exchange: { rate: '1.00', base: '1.00', currency: 'USD', amount } }),
    three_d_secure: secured(id, status, request),
  };
}

/** A refund has numbers of its own. */
export const factsOfRefund = ({ id }: SimulatedPayment) => numbersOf(`refund-${id}`);

/**
 * The result of 3-D Secure at the merchant's MPI as it came. The cards of May and June are challenged; others are authenticated without
 * the payer's notice.
 */
function secured(id: string, status: string, request: unknown) {
  const { cryptogram, ...sent } = Object(readPath(request, 'three_d_secure'));
  if (cryptogram !== undefined) return sent;
  if (readPath(request, 'payer.browser') === undefined) return undefined;
  const isChallenged = /^0[56]\//.test(expiryOf(request));
  const isFailed = isChallenged && status === 'DECLINED';
  const isOpen = status === 'CHALLENGE' || status === 'AUTHENTICATED';
  return {
    server_transaction_id: uuidOf(`s${id}`),
    ds_transaction_id: uuidOf(`d${id}`),
    acs_transaction_id: uuidOf(`c${id}`),
    xid: digitsOf(`x${id}`, 20),
    status: isOpen ? 'C' : isFailed ? 'N' : 'Y',
    status_reason: isFailed ? '01' : undefined,
    eci: isOpen ? undefined : isFailed ? '07' : '05',
    version: '2.2.0',
    flow: isChallenged ? 'Challenge' : 'Frictionless',
  };
}
