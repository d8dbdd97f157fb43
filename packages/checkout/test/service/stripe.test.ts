import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { confirmedAt } from '../support/adyen-service.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { errorOf, merchantActs } from '../support/merchant-acts.ts';
import { createPage } from '../support/service.ts';
import { REDIRECTED, stripeService } from '../support/stripe-service.ts';

let stripe: Awaited<ReturnType<typeof stripeService>>;
let merchant: ReturnType<typeof merchantActs>;
const rule = { connector: 'card-stripe', scenario: 'settled', notifications: 'once' } as const;

beforeAll(async () => {
  stripe = await stripeService();
  merchant = merchantActs(stripe.url);
});
beforeEach(() => stripe.simulator.setRule(rule));
afterAll(() => stripe.stop());

async function paid(change: Readonly<Record<string, unknown>> = {}, card: Readonly<Record<string, string>> = CARD) {
  const body = cardBody(change);
  const page = await createPage(stripe.url, body);
  const answer = await payByCard(page, card);
  expect(answer.status).toBe(303);
  return { number: body.order.number, location: new URL(answer.location ?? '', page).href };
}

async function reported(number: string, words: string): Promise<Readonly<Record<string, string>>> {
  const { fields } = await stripe.shop.until(
    (each) =>
      each.fields.order_number === number &&
      `${each.fields.type} ${each.fields.status} ${each.fields.order_status}` === words,
  );
  return fields;
}

describe('a card payment at Stripe', () => {
  test('is a sale that its reply settles; the webhook about it changes nothing more', async () => {
    const { number } = await paid();
    const { id = '' } = await reported(number, 'sale success settled');
    expect(await merchant.status(id)).toBe('settled');
    await stripe.simulator.idle();
    expect(stripe.simulator.deliveries().at(-1)).toMatchObject({ url: stripe.notifyUrl, result: 200 });
  });

  test('that waits is settled by its webhook, and by none that Stripe did not sign', async () => {
    stripe.simulator.setRule({ ...rule, scenario: 'manual' });
    const { number } = await paid();
    const { id } = await vi.waitUntil(() => stripe.simulator.payments().find(({ state }) => state === 'pending'));
    const headers = { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` };
    const body = JSON.stringify({
      type: 'payment_intent.succeeded',
      data: { object: { object: 'payment_intent', id } },
    });
    expect((await fetch(stripe.notifyUrl, { method: 'POST', headers, body })).status).toBe(401);
    stripe.simulator.settle(id);
    await reported(number, 'sale success settled');
  });

  test('that is refused is declined', async () => {
    stripe.simulator.setRule({ ...rule, scenario: 'declined' });
    const { number } = await paid();
    expect((await reported(number, 'sale fail decline'))['reason']).toContain('not enough money');
  });

  test('goes by way of the payer’s bank, and is settled when the payer is back', async () => {
    const { number, location } = await paid({}, REDIRECTED);
    await fetch(await confirmedAt(location));
    await reported(number, 'sale success settled');
  });
});

test('a hold is captured, and given back in parts', async () => {
  const { number } = await paid({ auth: true });
  const { id = '' } = await reported(number, 'sale success pending');
  await merchant.capture(id, '10.00');
  await reported(number, 'capture success settled');
  await merchant.refund(id, '4.00');
  await reported(number, 'refund success settled');
  expect(errorOf(await merchant.refund(id, '6.01'))).toMatch(/^208006 /);
  await merchant.refund(id, '6.00');
  await reported(number, 'refund success refund');
});

test('a hold is let go of', async () => {
  const { number } = await paid({ auth: true });
  const { id = '' } = await reported(number, 'sale success pending');
  await merchant.refund(id, '10.00');
  await reported(number, 'reversal success reversal');
  expect(stripe.simulator.ledger().at(-1)).toMatchObject({ effect: 'void' });
});

test('a refund that fails late is reported as failed', async () => {
  stripe.simulator.setRule({ ...rule, scenario: 'pending-modification' });
  const { number } = await paid();
  const { id = '' } = await reported(number, 'sale success settled');
  await merchant.refund(id, '4.00');
  const pending = await vi.waitUntil(() => stripe.simulator.modifications().find(({ state }) => state === 'pending'));
  stripe.simulator.declineModification(pending.id);
  await reported(number, 'refund fail decline');
});
