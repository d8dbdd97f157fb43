import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account, acquirerService, type AcquirerService, told } from '../support/acquirer-service.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { createPage } from '../support/service.ts';

let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService(
    {
      methods: [
        { key: 'card-redirect', mid: 'entered-here' },
        { key: 'card-redirect-alt', mid: 'entered-here' },
        { key: 'at-the-wallet', title: 'at-the-wallet', method: 'card-redirect', mid: 'virtual' },
      ],
    },
    (settings) => [
      account('entered-here', settings, {
        defaults: { 'card-redirect': { flow: 'card' }, 'card-redirect-alt': { flow: 'card' } },
      }),
      account('virtual', settings),
    ],
  );
});
afterAll(() => service.stop());

const bodyOf = (method: string) =>
  cardBody({
    methods: [method],
    error_url: 'https://shop.example/error',
    customer: { name: 'Ada Example', email: 'ada@example.com' },
    billing_address: { country: 'US', city: 'Boston', address: '1 Main Street', zip: '02101' },
  });
const show = async (page: string) => (await fetch(page)).text();
/** What the acquirer was asked last. */
const asked = () => JSON.parse(String(service.asked.findLast(({ method }) => method === 'POST')?.body));

describe('a wallet', () => {
  test.each(['card-redirect', 'card-redirect-alt'])(
    '%s whose account takes the card here asks for it on the page, and refuses a wrong one',
    async (method) => {
      const page = await createPage(service.url, bodyOf(method));
      expect(await show(page)).toContain('name="card.number"');
      const { status, text } = await payByCard(page, { method, ...CARD, 'card.number': '4111 1111 1111 1112' });
      expect([status, text.includes('Invalid card number')]).toEqual([422, true]);
      expect((await payByCard(page, { method, ...CARD, 'card.expiry': '12 / 38' })).status).toBe(303);
      expect(asked()).toMatchObject({ card: { number: '4111111111111111', cvv: '123' } });
      expect(asked()).not.toHaveProperty('wallet_type');
      expect(await show(page)).toContain('Continue');
    },
  );

  test('whose account leaves everything to the wallet asks for no card, and sends none', async () => {
    const body = bodyOf('at-the-wallet');
    const page = await createPage(service.url, body);
    expect(await show(page)).not.toContain('name="card.number"');
    expect((await payByCard(page, { method: 'at-the-wallet', ...CARD })).status).toBe(303);
    expect(asked()).toMatchObject({ wallet_type: 'WALLET_A' });
    expect(asked()).not.toHaveProperty('card');
    const [payment] = service.simulator.payments().filter(({ reference }) => reference === asked().reference);
    service.simulator.settle(payment?.id ?? '');
    expect(await told(service, body.order.number, { status: 'success' })).not.toHaveProperty('card');
  });
});
