import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gsmaService } from '../support/gsma-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

/** How far the clock is ahead. A hint is followed by a lookup a moment later, so the clock runs. */
let ahead = 0;
const clock = () => Date.now() + ahead;
let provider: Awaited<ReturnType<typeof gsmaService>>;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  provider = await gsmaService({ clock });
  merchant = merchantActs(provider.url);
});
beforeEach(() =>
  provider.simulator.setRule({ connector: 'mobile-money-gsma', scenario: 'manual', notifications: 'once' }),
);
afterAll(() => provider.stop());

/** A payer who is asked to confirm on the phone. */
async function begun() {
  const parameters = { 'mobile-money-gsma': { mobile_number: '254712345678' } };
  const body = sessionBody({ methods: ['mobile-money-gsma'], parameters }, { currency: 'KES' });
  const page = await createPage(provider.url, body);
  expect((await pressPay(page, { method: 'mobile-money-gsma' })).status).toBe(303);
  const held = provider.simulator.payments().at(-1);
  if (held === undefined) throw new Error('The provider has no payment.');
  return { number: body.order.number, page, held };
}

const until = (number: string, words: string) =>
  provider.shop.until(
    ({ fields }) =>
      fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
  );
const shown = async (page: string) => (await fetch(page)).text();

describe('a merchant payment of the GSMA Mobile Money API', () => {
  test('waits for the phone, and settles by an unsigned callback at its own address, once the provider was asked', async () => {
    const { number, page, held } = await begun();
    expect(await shown(page)).toContain('+254 •••••-5678');
    provider.simulator.settle(held.id);
    const { fields } = await until(number, 'sale success settled');
    expect(await merchant.status(fields.id ?? '')).toBe('settled');
    await provider.simulator.idle();
    expect(provider.simulator.deliveries().at(-1)).toMatchObject({
      url: `${provider.url}/notify/gsma/${held.reference}`,
      result: 204,
    });
  });

  test('settles by lookups alone where no callback comes', async () => {
    provider.simulator.setRule({ connector: 'mobile-money-gsma', notifications: 'none' });
    const { number, held } = await begun();
    provider.simulator.settle(held.id);
    ahead += 300_000;
    await until(number, 'sale success settled');
  });

  test('is not settled by a callback that the provider did not send', async () => {
    const { number, page, held } = await begun();
    const forged = {
      transactionReference: 'REF-1',
      transactionStatus: 'completed',
      type: 'merchantpay',
      amount: '10',
      currency: 'KES',
      creditParty: [],
      debitParty: [],
    };
    const address = `${provider.url}/notify/gsma/${held.reference}`;
    expect((await fetch(address, { method: 'PUT', body: JSON.stringify(forged) })).status).toBe(204);
    expect(await shown(page)).toContain('+254 •••••-5678');
    provider.simulator.settle(held.id);
    await until(number, 'sale success settled');
    expect(
      provider.shop.received.filter(
        ({ fields }) => fields.order_number === number && fields.order_status === 'settled',
      ),
    ).toHaveLength(1);
  });

  test('is reversed whole', async () => {
    const { number, held } = await begun();
    provider.simulator.settle(held.id);
    const { fields } = await until(number, 'sale success settled');
    await merchant.refund(fields.id ?? '', '10.00');
    ahead += 7_200_000;
    await until(number, 'refund success refund');
    expect(provider.simulator.modifications().map(({ amount, state }) => [amount, state])).toEqual([
      ['10.00', 'settled'],
    ]);
  });
});
