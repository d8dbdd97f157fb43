import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dyingService, type Point } from '../support/dying-service.ts';
import { atBank, inPounds, simulatedBank } from '../support/ob-uk-service.ts';
import { createPage, pressPay } from '../support/service.ts';

const CONSENT = /^POST \/domestic-payment-consents$/;
const PAYMENT = /^POST \/domestic-payments$/;
const TOKEN = /^POST \/token$/;
const LOOK = /^GET \/domestic-payment-consents\//;

let bank: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  bank = await dyingService('ob-uk', 'ob-uk', () => simulatedBank());
});
afterEach(() => bank.close());

async function session() {
  const body = inPounds();
  return { number: body.order.number, page: await createPage(bank.url(), body) };
}

const press = (page: string) => pressPay(page, { method: 'open-banking' });
const effects = () => bank.simulator.ledger().map(({ effect }) => effect);

describe('a service that is killed', () => {
  test.each<Point>([
    [CONSENT, 'arrives'],
    [CONSENT, 'has-acted'],
  ])('when %s %s, has one consent, and the payer agrees to it', async (...point) => {
    const { number, page } = await session();
    await bank.dyingAt(point, () => press(page));
    await expect.poll(async () => (await fetch(page)).text()).toContain('data-leave');
    await fetch(await atBank(page, bank.simulator.url));
    await bank.until(number, 'sale success settled');
    expect(bank.simulator.payments()).toHaveLength(1);
  });

  test.each<Point>([
    [TOKEN, 'arrives'],
    [TOKEN, 'has-acted'],
    [PAYMENT, 'arrives'],
    [PAYMENT, 'has-acted'],
  ])('after the visit, when %s %s, makes one payment', async (...point) => {
    const { number, page } = await session();
    await press(page);
    const back = await atBank(page, bank.simulator.url);
    await bank.dyingAt(point, () => fetch(back));
    await bank.until(number, 'sale success settled');
    expect(effects().filter((effect) => effect === 'settled')).toHaveLength(1);
  });

  test.each<Point>([
    [LOOK, 'arrives'],
    [LOOK, 'has-acted'],
  ])('in a lookup, when %s %s, asks again', async (...point) => {
    const { number, page } = await session();
    await press(page);
    await bank.dyingAt(point, () => atBank(page, bank.simulator.url, '/decline'));
    await bank.until(number, 'sale fail decline');
  });
});
