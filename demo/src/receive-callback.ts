import { verifySignature } from '@railyard/core/protocol';
import { Webhook } from 'standardwebhooks';
import { merchant } from './merchant.ts';
import type { Order, ReceivedCallback } from './orders.ts';
import { signerOf } from './session-request.ts';
import { withoutDay } from './subscriptions.ts';

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
  const { password, callbackSecret } = signerOf(order);
  const said = fields.order_number ?? '';
  const checked = verifySignature({
    formula: 'callback',
    fields: {
      payment_id: fields.id ?? '',
      // The merchant's own record, not what the callback says; the charge of a month adds its day to the number.
      number: withoutDay(said) === order.number ? said : order.number,
      amount: order.amount,
      currency: order.currency,
      description: order.description,
    },
    password,
    digest: merchant.digest,
    given: fields.hash ?? '',
  });
  return {
    kind: 'callback',
    order: order.number,
    fields,
    hash: checked.ok,
    webhook: hasRightSignature(body, headers, callbackSecret),
    id: headers['webhook-id'] ?? '',
    at,
  };
}

function hasRightSignature(body: string, headers: Readonly<Record<string, string>>, secret: string): boolean {
  try {
    // The body is a form, so it must not be parsed as JSON.
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}
