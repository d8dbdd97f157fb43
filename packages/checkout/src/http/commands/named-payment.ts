import * as z from 'zod';
import type { CommandDeps } from './deps.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';
import { commandHashBy } from '../basics/call.ts';
import { requiredText } from '../basics/signed-request.ts';
import { type RefusalName, refusedBy } from './error-codes.ts';
import { signedByPayment } from './stored-signature.ts';

/**
 * How a command that names a payment is signed. `apm`: by its own fields, at the address of S2S APM. `either`: at the others, where the payment
 * may be one of either protocol.
 */
export type SignedAs = 'apm' | 'either';

/** The fields of a command that names a payment. */
export const namingFields = { client_key: requiredText, trans_id: requiredText, hash: requiredText };

export interface NamingFields {
  readonly client_key: string;
  readonly trans_id: string;
  readonly hash: string;
}

/** The payment that a command names. */
export async function namedPayment(
  { stores }: CommandDeps,
  scope: MerchantScope,
  { trans_id }: Pick<NamingFields, 'trans_id'>,
): Promise<Payment | undefined> {
  if (!z.uuid().safeParse(trans_id).success) return undefined;
  return stores.payments.findByTransaction(scope, trans_id.toLowerCase());
}

/**
 * The hash of a command that names a payment. At the addresses of S2S CARD both formulas are tried, and what neither fits gets the command's
 * not-found row: to distinguish them would show which payments there are (reference: Signatures of S2S CARD, F2; of S2S APM, B and C).
 */
export function signedByNamed(
  context: CommandDeps,
  fields: NamingFields,
  as: SignedAs,
  formula: 'transaction' | 'credit_void',
  unknown: RefusalName,
) {
  const { client_key, trans_id, hash } = fields;
  const byFields = commandHashBy(formula, { trans_id }, hash);
  if (as === 'apm') return byFields;
  return signedByPayment(context, {
    client_key,
    hash,
    find: (scope) => namedPayment(context, scope, fields),
    formula: 'card_transaction',
    covered: (values) => ({ ...values, trans_id }),
    also: byFields,
    notFound: refusedBy(unknown),
  });
}
