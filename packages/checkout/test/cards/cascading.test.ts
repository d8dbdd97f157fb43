import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startMandate, told } from '../support/acquirer-service.ts';
import { cardBody, payByCard } from '../support/card-service.ts';
import { cascadeService, type CascadeService } from '../support/cascade-service.ts';
import { createPage } from '../support/service.ts';

let service: CascadeService;

beforeAll(async () => {
  service = await cascadeService(
    {},
    {
      brand: { cardBrands: ['mastercard'] },
      currency: { currencies: ['EUR'] },
      limit: { limits: { card: [{ currency: 'USD', max: '9.99' }] } },
      mode: { mode: 'DMS' },
      test: { test: true },
      channel: { channels: ['elsewhere'] },
    },
  );
});
afterAll(() => service.stop());

const show = async (page: string) => (await fetch(page)).text();
const listSchema = z.array(z.object({ payment_id: z.string(), status: z.string() }));
/** The payments of an order, newest first. */
const paymentsOf = async (number: string) => listSchema.parse(await service.byOrder(number, '10'));

describe('a payment that an account declines softly', () => {
  test('is tried at the next one with the card and its code, and only the last payment is called back', async () => {
    service.answer({ first: 'soft' });
    const { page, number } = await service.pay();
    expect(await show(page)).toContain('Payment complete');
    expect(service.tries).toMatchObject([
      { mid: 'first', number: '4111111111111111', cvv: '123' },
      { mid: 'second', number: '4111111111111111', cvv: '123' },
    ]);
    expect(new Set(service.tries.map(({ reference }) => reference)).size).toBe(2);
    const { id } = await told(service, number, { status: 'success' });
    const [last, first] = await paymentsOf(number);
    expect([last, first]).toMatchObject([{ payment_id: id, status: 'settled' }, { status: 'decline' }]);
    expect(service.calledBack(number).map(({ fields }) => [fields.id, fields.status, fields.card])).toEqual([
      [id, 'success', '411111******1111'],
    ]);
  });

  test('is described as it is by its own id, and by its order as the newest', async () => {
    service.answer({ first: 'soft' });
    const { number } = await service.pay();
    const [last, first] = await paymentsOf(number);
    expect(await service.status(first?.payment_id ?? '')).toMatchObject({ ...first, reason: expect.any(String) });
    expect(await service.byOrder(number, '1')).toMatchObject([last]);
  });

  test('goes on through all accounts, once each; the payer has used one try and sees the last decline', async () => {
    service.answer({ first: 'soft', second: 'soft', third: 'soft' });
    const { page, number } = await service.pay();
    expect(service.mids()).toEqual(['first', 'second', 'third']);
    expect(await show(page)).toMatch(/There is not enough money in your account\.[^]*You can try 2 more times\./);
    const { id } = await told(service, number, { status: 'fail' });
    expect((await paymentsOf(number)).map(({ payment_id }) => payment_id).indexOf(id ?? '')).toBe(0);
    // The next try begins at the first account again, and ends the session no earlier than it would otherwise.
    await payByCard(page);
    expect(await show(page)).toContain('You can try once more.');
    service.answer({ first: 'soft' });
    await payByCard(page);
    expect(await show(page)).toContain('Payment complete');
    expect(service.mids()).toEqual(['first', 'second']);
    await told(service, number, { status: 'success' });
    expect(service.calledBack(number).map(({ fields }) => fields.status)).toEqual(['fail', 'fail', 'success']);
  });

  test('ends the session with the last try that is allowed', async () => {
    service.answer({ first: 'soft', second: 'soft', third: 'hard' });
    const { page } = await service.pay();
    for (const left of ['You can try 2 more times.', 'You can try once more.', 'There are no attempts left.']) {
      expect(await show(page)).toContain(left);
      await payByCard(page);
    }
    expect(service.tries).toHaveLength(9);
  });

  test('is settled by the next account also where its answer is lost, with one charge', async () => {
    service.answer({ first: 'soft', second: 'lost' });
    const { page, number } = await service.pay();
    await told(service, number, { status: 'success' });
    expect(await show(page)).toContain('Payment complete');
    expect(service.mids()).toEqual(['first', 'second']);
    const references = new Set(service.tries.map(({ reference }) => reference));
    expect(service.simulator.payments().filter(({ reference }) => references.has(reference))).toHaveLength(1);
  });

  test('asks each account once where the button is pressed ten times', async () => {
    service.answer({ first: 'soft' });
    const page = await createPage(service.url, cardBody());
    await Promise.all(Array.from({ length: 10 }, () => payByCard(page)));
    expect(service.mids()).toEqual(['first', 'second']);
  });

  test('pays with a saved card at the next account as well', async () => {
    service.answer({});
    const { number } = await service.pay({ req_token: true });
    const { card_token = '' } = await told(service, number, { status: 'success' });
    service.answer({ first: 'soft' });
    await service.pay({ card_token: [card_token] }, {}, { 'card.saved': '0', 'card.cvv': '987' });
    expect(service.tries).toMatchObject([
      { mid: 'first', cvv: '987' },
      { mid: 'second', cvv: '987' },
    ]);
  });

  test('saves the card with the payment that worked', async () => {
    service.answer({ first: 'soft' });
    const { number } = await service.pay({ req_token: true });
    const { card_token } = await told(service, number, { status: 'success' });
    expect(card_token).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the next account', () => {
  test.each(['brand', 'currency', 'limit', 'mode', 'test', 'channel'])(
    'that does not take the %s of the request is passed over',
    async (name) => {
      service.answer({ first: 'soft' });
      await service.pay({ methods: [`card-${name}`], ...(name === 'channel' && { channel_id: 'shop' }) });
      expect(service.mids()).toEqual(['first', 'third']);
    },
  );
});

describe('a payment is not tried at another account', () => {
  test('after a hard decline', async () => {
    service.answer({ first: 'hard' });
    const { page, number } = await service.pay();
    expect(await show(page)).toContain('You can try 2 more times.');
    await told(service, number, { status: 'fail' });
    expect(service.mids()).toEqual(['first']);
  });

  test('while its outcome is unknown', async () => {
    service.answer({ first: 'silent' });
    const { page, number } = await service.pay();
    expect(await show(page)).toContain('Checking your payment');
    await told(service, number, { status: 'undefined' });
    expect(service.mids()).toEqual(['first']);
    // It is asked about, and sent again, by itself: ended here, it is no try of the next test.
    service.answer({});
    await told(service, number, { status: 'success' });
    expect(service.mids()).toEqual(['first']);
  });

  test('when it is a later charge of a mandate', async () => {
    service.answer({});
    const { mandate } = await startMandate(service);
    const { answer } = service.state;
    service.state.answer = (request) =>
      request.url.includes('/v1/agreements/')
        ? {
            status: 402,
            body: {
              id: randomUUID(),
              status: 'DECLINED',
              amount: 750,
              currency: 'USD',
              response_code: '51',
            },
          }
        : answer(request);
    const order = { number: `mandate-${process.pid}`, amount: '7.50', description: 'Second month' };
    expect((await service.recurring(mandate, order)).json).toMatchObject({ status: 'decline' });
    service.state.answer = answer;
    expect(service.mids()).toEqual(['first']);
    expect(await paymentsOf(order.number)).toHaveLength(1);
  });
});
