import { verifySignature } from '@railyard/core/protocol';
import { Webhook } from 'standardwebhooks';
import { merchant } from './merchant.ts';
import type { Order, ReceivedCallback } from './orders.ts';

/**
 * Reads a callback and checks both signatures. The legacy hash does not cover the status, so a merchant trusts a callback only
 * when the Standard Webhooks signature over its bytes is right.
 */
export function readCallback(
  body: string,
  headers: Readonly<Record<string, string>>,
  order: Order,
  at: string,
): ReceivedCallback {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const checked = verifySignature({
    formula: 'callback',
    fields: {
      payment_id: fields.id ?? '',
      // The merchant's own record, not what the callback says.
      number: order.number,
      amount: order.amount,
      currency: order.currency,
      description: order.description,
    },
    password: merchant.password,
    digest: merchant.digest,
    given: fields.hash ?? '',
  });
  return {
    kind: 'callback',
    order: order.number,
    fields,
    hash: checked.ok,
    webhook: hasRightSignature(body, headers),
    id: headers['webhook-id'] ?? '',
    at,
  };
}

function hasRightSignature(body: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    // The body is a form, so it must not be parsed as JSON.
    new Webhook(merchant.callbackSecret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}
