import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account, acquirerService, type AcquirerService, payOrder, told } from '../support/acquirer-service.ts';
import { errorLines } from '../support/any-method-service.ts';
import { cardBody } from '../support/card-service.ts';
import { post } from '../support/service.ts';

let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService(
    {
      methods: [
        { key: 'card', mid: ['sales', 'holds'] },
        { key: 'sms', title: 'sms', method: 'card', mid: 'sales' },
        { key: 'dms', title: 'dms', method: 'card', mid: 'holds' },
        { key: 'both', title: 'both', method: 'card', mid: 'both' },
        { key: 'no-zero', title: 'no-zero', method: 'card', mid: 'no-zero' },
        { key: 'some-zero', title: 'some-zero', method: 'card', mid: ['no-zero', 'both'] },
      ],
      callbackData: ['mid_name'],
    },
    (settings) => [
      account('sales', settings, { mode: 'SMS' }),
      account('holds', settings, { mode: 'DMS' }),
      account('both', settings),
      account('no-zero', settings, { defaults: {} }),
    ],
  );
});
afterAll(() => service.stop());

/** What the acquirer was asked for an order. */
async function paid(
  key: string,
  change: Readonly<Record<string, unknown>>,
  order: Readonly<Record<string, string>> = {},
) {
  const before = service.asked.length;
  const number = await payOrder(service, { methods: [key], ...change }, order, { method: key, ...card });
  const callback = await told(service, number, {});
  return { callback, path: service.asked.slice(before).map(({ url }) => new URL(url).pathname.split('/').at(-1)) };
}
const card = {
  'card.number': '4111111111111111',
  'card.expiry': '01/38',
  'card.cvv': '123',
  'card.name': 'Ada Example',
};

describe('the payment mode of an account', () => {
  test.each([
    ['sms', false, 'sales', 'sales', 'settled'],
    ['dms', true, 'holds', 'authorizations', 'pending'],
    ['both', false, 'both', 'sales', 'settled'],
    ['both', true, 'both', 'authorizations', 'pending'],
    // Of several accounts the first whose mode fits.
    ['card', false, 'sales', 'sales', 'settled'],
    ['card', true, 'holds', 'authorizations', 'pending'],
  ])('of %s with auth %s leads to the account %s and its %s', async (key, auth, mid, path, order_status) => {
    const answer = await paid(key, { auth });
    expect(answer.path).toEqual([path]);
    expect(answer.callback).toMatchObject({ type: 'sale', status: 'success', order_status, mid_name: mid });
  });

  test.each([
    ['sms', true],
    ['dms', false],
  ])('of %s refuses auth %s', async (key, auth) => {
    const { status, json } = await post(`${service.url}/api/v1/session`, cardBody({ methods: [key], auth }));
    expect([status, errorLines(json)]).toEqual([400, ['auth: The value you selected is not a valid choice.']]);
  });

  test('holds the money, which is captured later', async () => {
    const { callback } = await paid('dms', { auth: true });
    const { id = '', order_number = '' } = callback;
    expect((await service.capture(id, '4.00')).json).toEqual({ payment_id: id, result: 'accepted' });
    expect(await told(service, order_number, { type: 'capture' })).toMatchObject({ order_status: 'settled' });
  });

  test('holds the first payment of a mandate, whose tokens are reported with its capture', async () => {
    const { callback } = await paid('both', { auth: true, recurring_init: true });
    expect(callback).not.toHaveProperty('recurring_token');
    await service.capture(callback.id ?? '', '10.00');
    const { recurring_init_trans_id = '', recurring_token = '' } = await told(service, callback.order_number ?? '', {
      type: 'capture',
    });
    const order = { number: `held-${process.pid}`, amount: '3.00', description: 'Second month' };
    const { json } = await service.recurring({ recurring_init_trans_id, recurring_token }, order);
    expect(json).toMatchObject({ status: 'settled' });
  });
});

describe('a zero amount', () => {
  test('verifies the card where the account does that', async () => {
    const { path, callback } = await paid('both', { recurring_init: true }, { amount: '0.00' });
    expect([path, callback.order_status]).toEqual([['verifications'], 'settled']);
  });

  test.each(['purchase', 'debit'])('goes to the first account that does, for a %s', async (operation) => {
    const { path, callback } = await paid('some-zero', { operation, recurring_init: true }, { amount: '0.00' });
    expect([path, callback.mid_name]).toEqual([['verifications'], 'both']);
  });

  test.each([['of the one method', ['no-zero'], ['amount: This value should be greater than 0.']]])(
    'is refused where no account %s does that',
    async (_name, methods, lines) => {
      const { status, json } = await post(
        `${service.url}/api/v1/session`,
        cardBody({ methods, recurring_init: true }, { amount: '0.00' }),
      );
      expect([status, errorLines(json)]).toEqual([400, lines]);
    },
  );

  test('is refused of a plain purchase, and of one with auth alone', async () => {
    for (const auth of [false, true]) {
      const { json } = await post(
        `${service.url}/api/v1/session`,
        cardBody({ methods: ['both'], auth }, { amount: '0.00' }),
      );
      expect(errorLines(json)).toEqual(['amount: This value should be greater than 0.']);
    }
  });
});
