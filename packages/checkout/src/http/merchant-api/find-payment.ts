import { type Answer, type ErrorBody, notFoundCode, refusedAnswer } from '@railyard/core/protocol';
import * as z from 'zod';
import type { MerchantApiDeps } from './deps.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';

/** The merchant's payment that a call names, as its newest try. */
export async function findPayment(
  context: MerchantApiDeps,
  scope: MerchantScope,
  id: string,
): Promise<Payment | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  return context.stores.payments.findOfMerchant(scope, id.toLowerCase());
}

export const paymentNotFound = (): Answer<ErrorBody> => refusedAnswer('Payment does not exist.', notFoundCode);

/** Of a payment whose personal data retention has removed: its provider cannot be asked for anything with it any more. */
export const paymentErased = (): Answer<ErrorBody> =>
  refusedAnswer('The data of the payment has been removed after the retention period.');
