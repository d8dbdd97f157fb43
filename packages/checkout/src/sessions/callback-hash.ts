import { signRequest } from '@railyard/core/protocol';
import { newest } from '../deployment/catalogue-schema.ts';
import { fastHash } from './fast-hash.ts';
import type { OpenSession } from './open-session.ts';

/** The legacy hash of callbacks and returns; both cover the same fields (reference: Signatures, row 11). */
export function callbackHash(session: OpenSession, paymentId: string): string {
  const { order } = session.request;
  const options = {
    digest: session.stored.hashDigest,
    dialect: session.stored.hashDialect,
    ...(fastHash && { hash: fastHash }),
  };
  const password = newest(session.merchant.config.password);
  const fields = {
    payment_id: paymentId,
    number: order.number,
    currency: order.currency,
    description: order.description,
  };
  return order.amount === undefined
    ? signRequest('callback_without_amount', fields, password, options)
    : signRequest('callback', { ...fields, amount: order.amount }, password, options);
}
