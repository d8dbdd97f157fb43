import { readPath } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { errorOf } from '../support/merchant-acts.ts';
import { confirmedAt } from '../support/real-providers.ts';
import { LATE, visitedProvider } from '../support/visited-provider.ts';

const paypal = visitedProvider('paypal', 'USD', {
  facts: ['orders', 'payments'].map((name) => `packages/connector-wallet/test/official/paypal-${name}.json`),
  except: ['/v1/oauth2/token', '/v1/notifications/verify-webhook-signature'],
});
const { sent, reported, told, done, held, paid } = paypal;

const JSON_TYPE = { 'content-type': 'application/json' };
/** What PayPal is asked about. */
const PROOF = Object.fromEntries(
  ['auth-algo', 'cert-url', 'transmission-id', 'transmission-sig', 'transmission-time'].map((name) => [
    `paypal-${name}`,
    'forged',
  ]),
);

/** PayPal acts, its reply is lost, and it refuses each repeat. @returns how often it was asked */
function refusesRepeats(end: string, issue: string) {
  const body = JSON.stringify({ name: 'UNPROCESSABLE_ENTITY', message: 'Not possible.', details: [{ issue }] });
  let asked = 0;
  paypal.answers(async (each, own) => {
    if (!each.endsWith(end)) return own();
    asked += 1;
    if (asked > 1) return { kind: 'reply', status: 422, headers: JSON_TYPE, body };
    await own();
    return LATE;
  });
  return () => asked;
}

/** Where the payer comes back to. */
const backOf = ({ request }: { readonly request: unknown }): string =>
  String(readPath(request, 'payment_source.paypal.experience_context.return_url'));
const capturesOf = ({ id }: { readonly id: string }) =>
  paypal
    .simulator()
    .ledger()
    .filter((entry) => entry.id === id && entry.effect === 'settled');

describe('a payment at PayPal', () => {
  test('is approved on the pages of PayPal, captured when the payer is back, and reported once; the webhook about it changes nothing more', async () => {
    paypal.notifiesOfNothing();
    const { number, page, payment } = await sent();
    await fetch(await confirmedAt(page));
    const { id = '' } = await reported(number, 'sale success settled');
    expect(await paypal.merchant().status(id)).toBe('settled');
    paypal.simulator().notify(payment.id, 'once');
    await paypal.simulator().idle();
    expect(paypal.simulator().deliveries().at(-1)).toMatchObject({ url: paypal.service().notifyUrl, result: 200 });
    expect(capturesOf(payment)).toHaveLength(1);
    expect(told(number).filter((words) => words === 'sale success settled')).toHaveLength(1);
  });

  test('of a payer who approves and closes the page is captured by the webhook, which PayPal says it sent', async () => {
    const { number, payment } = await sent();
    const asked: string[] = [];
    paypal.answers((each, own) => {
      asked.push(each);
      return own();
    });
    paypal.simulator().settle(payment.id);
    await reported(number, 'sale success settled');
    expect(asked).toContain('POST /paypal/v1/notifications/verify-webhook-signature');
    expect(capturesOf(payment)).toHaveLength(1);
  });

  test('of a payer who comes back without having approved is declined, and moves no money', async () => {
    const { number, payment } = await sent();
    await fetch(backOf(payment));
    await reported(number, 'sale fail decline');
    expect(capturesOf(payment)).toEqual([]);
  });

  test('whose capture is answered too late is asked for again under the same key, and captured once', async () => {
    paypal.notifiesOfNothing();
    const { number, page, payment } = await sent();
    const captures = paypal.losesReplies('/capture', 1);
    await fetch(await confirmedAt(page));
    paypal.later(300_000);
    await reported(number, 'sale success settled');
    expect(captures()).toBe(2);
    expect(capturesOf(payment)).toHaveLength(1);
  });

  test('whose repeated capture PayPal refuses, because the order was captured, is not declined but looked up', async () => {
    paypal.notifiesOfNothing();
    const { number, page, payment } = await sent();
    const captures = refusesRepeats('/capture', 'ORDER_ALREADY_CAPTURED');
    await fetch(await confirmedAt(page));
    paypal.later(300_000);
    await reported(number, 'sale success settled');
    expect(captures()).toBe(2);
    expect(told(number)).not.toContain('sale fail decline');
    expect(capturesOf(payment)).toHaveLength(1);
  });
});

test('a capture that PayPal takes back is told as a chargeback, and not as a refund of the merchant’s, once', async () => {
  const { number, payment } = await sent();
  paypal.simulator().settle(payment.id);
  const sale = await reported(number, 'sale success settled');
  paypal.answers(async (asked, own) =>
    asked.endsWith('/verify-webhook-signature')
      ? { kind: 'reply', status: 200, headers: JSON_TYPE, body: '{"verification_status":"SUCCESS"}' }
      : own(),
  );
  const resource = {
    id: '1JU08902781691411',
    status: 'COMPLETED',
    amount: { currency_code: 'USD', value: '10.00' },
    custom_id: payment.reference,
    supplementary_data: { related_ids: { order_id: payment.id } },
  };
  const reversed = { id: 'WH-3', event_type: 'PAYMENT.CAPTURE.REVERSED', resource_type: 'refund', resource };
  const notify = () =>
    fetch(paypal.service().notifyUrl, { method: 'POST', headers: PROOF, body: JSON.stringify(reversed) });
  expect([(await notify()).status, (await notify()).status]).toEqual([200, 200]);
  expect((await reported(number, 'chargeback success chargeback')).id).toBe(sale.id);
  expect(await paypal.merchant().status(sale.id ?? '')).toBe('chargeback');
  expect(told(number).slice(-2)).toEqual(['sale success settled', 'chargeback success chargeback']);
});

describe('a hold at PayPal', () => {
  test('is captured in part, which lets go of the rest, and given back', async () => {
    const { number, id, payment } = await held();
    await paypal.merchant().capture(id, '6.00');
    await reported(number, 'capture success settled');
    expect(paypal.bodies('/capture').at(-1)).toMatchObject({ amount: { value: '6.00' }, final_capture: true });
    expect(errorOf(await paypal.merchant().capture(id, '4.00'))).toMatch(/^208003 /);
    expect(errorOf(await paypal.merchant().refund(id, '6.01'))).toMatch(/^208006 /);
    await paypal.merchant().refund(id, '6.00');
    await reported(number, 'refund success refund');
    expect(done(payment)).toEqual(['capture 6.00 settled', 'refund 6.00 settled']);
  });
});

describe('a refund at PayPal', () => {
  test('whose reply is lost and whose repeat is refused is found in the order, and made once', async () => {
    const { number, id, payment } = await paid();
    paypal.notifiesOfNothing();
    const refunds = refusesRepeats('/refund', 'DUPLICATE_INVOICE_ID');
    await paypal.merchant().refund(id, '4.00');
    paypal.later(7_200_000);
    await reported(number, 'refund success settled');
    expect(refunds()).toBe(2);
    expect(told(number)).not.toContain('refund fail decline');
    expect(done(payment)).toEqual(['refund 4.00 settled']);
  });
});

test('each request of these tests is one that an official description of PayPal takes', () => {
  const { requests, problems } = paypal.compared();
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(10);
});
