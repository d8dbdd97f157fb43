import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { confirmedAt } from '../support/adyen-service.ts';
import { cardBody, payByCard } from '../support/card-service.ts';
import { dyingService, type Point } from '../support/dying-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { createPage } from '../support/service.ts';
import { REDIRECTED, simulatedStripe } from '../support/stripe-service.ts';

const INTENT = /^POST \/v1\/payment_intents$/;
const LOOK = /^GET \/v1\/payment_intents\//;
const CAPTURE = /\/capture$/;
const REFUND = /^POST \/v1\/refunds$/;

let stripe: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  stripe = await dyingService('stripe', 'card-stripe', (url) => simulatedStripe(url));
});
afterEach(() => stripe.close());

async function session(change: Readonly<Record<string, unknown>> = {}) {
  const body = cardBody(change);
  return { number: body.order.number, page: await createPage(stripe.url(), body) };
}

const idWhen = async (number: string, words: string) => (await stripe.until(number, words)).fields.id ?? '';
const effects = () => stripe.simulator.ledger().map(({ effect }) => effect);

describe('a service that is killed', () => {
  test('when Stripe has a payment and has not answered, settles it by the webhook, and charges once', async () => {
    const { number, page } = await session();
    await stripe.dyingAt([INTENT, 'has-acted'], () => payByCard(page));
    stripe.simulator.notify(await vi.waitUntil(() => stripe.simulator.payments()[0]?.id));
    await stripe.until(number, 'sale success settled');
    expect(effects()).toEqual(['charge', 'settled']);
  });

  test.each<Point>([
    [LOOK, 'arrives'],
    [LOOK, 'has-acted'],
  ])('after the visit, when %s %s, asks again, and charges once', async (...point) => {
    // Its webhook would settle the payment before the payer is back, and Stripe would not be asked.
    stripe.simulator.setRule({ connector: 'card-stripe', scenario: 'settled', notifications: 'none' });
    const { number, page } = await session();
    const { location } = await payByCard(page, REDIRECTED);
    const back = await confirmedAt(new URL(location ?? '', page).href);
    await stripe.dyingAt(point, () => fetch(back));
    await stripe.until(number, 'sale success settled');
    expect(effects()).toEqual(['charge', 'settled']);
  });

  test.each<Point>([
    [CAPTURE, 'arrives'],
    [CAPTURE, 'has-acted'],
  ])('in a capture, when %s %s, captures once', async (...point) => {
    const { number, page } = await session({ auth: true });
    await payByCard(page);
    const id = await idWhen(number, 'sale success pending');
    await stripe.dyingAt(point, () => merchantActs(stripe.url()).capture(id, '10.00'));
    await stripe.until(number, 'capture success settled');
    expect(effects().filter((effect) => effect === 'capture')).toHaveLength(1);
  });

  test.each<Point>([
    [REFUND, 'arrives'],
    [REFUND, 'has-acted'],
  ])('in a refund, when %s %s, gives the money back once', async (...point) => {
    const { number, page } = await session();
    await payByCard(page);
    const id = await idWhen(number, 'sale success settled');
    await stripe.dyingAt(point, () => merchantActs(stripe.url()).refund(id, '10.00'));
    await stripe.until(number, 'refund success refund');
    expect(stripe.simulator.modifications().map(({ amount }) => amount)).toEqual(['10.00']);
  });
});
