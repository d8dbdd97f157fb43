import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { confirmedAt } from '../support/adyen-service.ts';
import { dyingService, type Point } from '../support/dying-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { sentToPaypal, simulatedPaypal } from '../support/paypal-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

const ORDER = /^POST \/v2\/checkout\/orders$/;
const CAPTURE = /^POST \/v2\/checkout\/orders\/\w+\/capture$/;
const AUTHORIZE = /^POST \/v2\/checkout\/orders\/\w+\/authorize$/;
const CAPTURE_OF_HOLD = /^POST \/v2\/payments\/authorizations\/\w+\/capture$/;
const VOID = /^POST \/v2\/payments\/authorizations\/\w+\/void$/;
const REFUND = /^POST \/v2\/payments\/captures\/\w+\/refund$/;

let paypal: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  paypal = await dyingService('paypal', 'paypal', (url) => simulatedPaypal(url));
});
afterEach(() => paypal.close());

/** Nobody but the service itself finishes what it began. */
const withoutWebhooks = () => paypal.simulator.setRule({ connector: 'paypal', notifications: 'none' });
const sent = (change?: object) => sentToPaypal(paypal.url(), paypal.simulator, change);
const idWhen = async (number: string, words: string) => (await paypal.until(number, words)).fields.id ?? '';
const effects = (effect: string) => paypal.simulator.ledger().filter((entry) => entry.effect === effect);

async function paid(words: string, change?: object) {
  const { number, page } = await sent(change);
  await fetch(await confirmedAt(page));
  return { number, id: await idWhen(number, words) };
}

describe('a service that is killed', () => {
  test('before the payer was sent to PayPal, when the order has been made, takes no money', async () => {
    const body = sessionBody({ methods: ['redirect'] }, { currency: 'USD' });
    const page = await createPage(paypal.url(), body);
    await paypal.dyingAt([ORDER, 'has-acted'], () => pressPay(page, { method: 'redirect' }));
    expect((await fetch(page)).status).toBe(200);
    expect(effects('settled')).toEqual([]);
  });

  test.each<Point>([
    [CAPTURE, 'arrives'],
    [CAPTURE, 'has-acted'],
  ])('after the visit, when %s %s, captures the order once', async (...point) => {
    withoutWebhooks();
    const { number, page } = await sent();
    const back = await confirmedAt(page);
    await paypal.dyingAt(point, () => fetch(back));
    await paypal.until(number, 'sale success settled');
    expect(effects('settled')).toHaveLength(1);
  });

  test('after the visit, when PayPal has held the money, finds the hold', async () => {
    withoutWebhooks();
    const { number, page } = await sent({ auth: true });
    const back = await confirmedAt(page);
    await paypal.dyingAt([AUTHORIZE, 'has-acted'], () => fetch(back));
    await paypal.until(number, 'sale success pending');
    expect(paypal.simulator.payments().map(({ state }) => state)).toEqual(['authorized']);
  });

  test.each<Point>([
    [CAPTURE_OF_HOLD, 'arrives'],
    [CAPTURE_OF_HOLD, 'has-acted'],
  ])('in a capture of a hold, when %s %s, captures once', async (...point) => {
    const { number, id } = await paid('sale success pending', { auth: true });
    await paypal.dyingAt(point, () => merchantActs(paypal.url()).capture(id, '6.00'));
    await paypal.until(number, 'capture success settled');
    expect(paypal.simulator.modifications().map(({ amount }) => amount)).toEqual(['6.00']);
  });

  test.each<Point>([
    [VOID, 'arrives'],
    [VOID, 'has-acted'],
  ])('when it lets go of a hold, and %s %s, lets go of it once', async (...point) => {
    const { number, id } = await paid('sale success pending', { auth: true });
    await paypal.dyingAt(point, () => merchantActs(paypal.url()).refund(id, '10.00'));
    await paypal.until(number, 'reversal success reversal');
    expect(effects('void')).toHaveLength(1);
  });

  test.each<Point>([
    [REFUND, 'arrives'],
    [REFUND, 'has-acted'],
  ])('in a refund, when %s %s, gives the money back once', async (...point) => {
    const { number, id } = await paid('sale success settled');
    await paypal.dyingAt(point, () => merchantActs(paypal.url()).refund(id, '10.00'));
    await paypal.until(number, 'refund success refund');
    expect(paypal.simulator.modifications().map(({ amount }) => amount)).toEqual(['10.00']);
  });
});
