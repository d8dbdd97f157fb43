import { randomBytes } from 'node:crypto';
import { signSession } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorLines } from '../support/any-method-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { CARD, cardBody, cardService, type CardService, payByCard } from '../support/card-service.ts';
import { createPage, merchant, post, trial } from '../support/service.ts';

let service: CardService;

beforeAll(async () => {
  service = await cardService();
});

afterAll(() => service.stop());

const AMEX = { ...CARD, 'card.number': '378282246310005', 'card.cvv': '1234' };

/** Pays and answers what the merchant is told in the end. */
async function paid(change: Readonly<Record<string, unknown>>, card: Readonly<Record<string, string>> = CARD) {
  const body = cardBody(change);
  const page = await createPage(service.url, body);
  const { status } = await payByCard(page, card);
  expect(status).toBe(303);
  const told = await service.shop.until(({ fields }) => fields.order_number === body.order.number);
  return { fields: told.fields, page };
}

const newToken = async (card = CARD) => (await paid({ req_token: true }, card)).fields.card_token ?? '';
const lastAsked = () => service.provider.asked.at(-1);
const show = async (page: string, query = '') => (await fetch(`${page}${query}`)).text();

describe('req_token', () => {
  test.each(['purchase', 'debit'])('gives a %s a token of 64 characters with the masked card', async (operation) => {
    const { fields } = await paid({ operation, req_token: true });
    expect(fields).toMatchObject({
      card: '411111******1111',
      card_expiration_date: '01/2038',
      card_token: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('gives the same token for the same card, and another for another card or date', async () => {
    const token = await newToken();
    expect(await newToken()).toBe(token);
    expect(await newToken(AMEX)).not.toBe(token);
    expect(await newToken({ ...CARD, 'card.expiry': '01/39' })).not.toBe(token);
  });

  test('gives another holder of the same number and date a token of his own, which pays out in his name', async () => {
    const [ada, paula, again] = [
      await newToken(),
      await newToken({ ...CARD, 'card.name': 'Paula Payee' }),
      await newToken({ ...CARD, 'card.name': ' ADA  example' }),
    ];
    expect(again).toBe(ada);
    expect(paula).not.toBe(ada);
    const names = [];
    for (const token of [ada, paula]) {
      const page = await createPage(service.url, cardBody({ operation: 'credit', card_token: [token] }));
      expect((await payByCard(page, { 'card.saved': '0', 'card.expiry': '01/38' })).status).toBe(303);
      names.push(lastAsked()?.payee_name);
    }
    expect(names).toEqual(['Ada Example', 'Paula Payee']);
    const debit = { operation: 'debit', card_token: [paula] };
    expect((await paid(debit, { 'card.saved': '0', 'card.cvv': '123' })).fields.card_token).toBe(paula);
    expect(lastAsked()?.card.holder).toBe('Paula Payee');
  });

  test('reports no token of a declined purchase, and one of a debit', async () => {
    const declined = { ...CARD, 'card.number': '5555555555554444', 'card.expiry': '02/38' };
    expect((await paid({ req_token: true }, declined)).fields).toMatchObject({
      status: 'fail',
      card: '555555******4444',
    });
    expect((await paid({ req_token: true }, declined)).fields.card_token).toBe(undefined);
    expect((await paid({ req_token: true, operation: 'debit' }, declined)).fields.card_token).toHaveLength(64);
  });

  test('without it no token is reported', async () => {
    expect((await paid({})).fields.card_token).toBe(undefined);
  });
});

describe('card_token', () => {
  test('lets the payer pay with the code alone', async () => {
    const body = cardBody({ card_token: [await newToken()] });
    const page = await createPage(service.url, body);
    const form = await show(page);
    expect(form).toContain('Visa ending in 1111, expires 01/2038');
    expect(form).toContain('name="card.cvv"');
    expect(form).not.toContain('name="card.number"');
    expect((await payByCard(page, { 'card.saved': '0', 'card.cvv': '321' })).status).toBe(303);
    expect(lastAsked()?.card).toEqual({
      number: '4111111111111111',
      bin: '41111111',
      brand: 'visa',
      cvv: '321',
      expiry: '01/2038',
      holder: 'Ada Example',
      stored: true,
    });
    const { fields } = await service.shop.until((told) => told.fields.order_number === body.order.number);
    expect(fields).toMatchObject({ card: '411111******1111' });
    expect(fields.card_token).toBe(undefined);
  });

  test('is reported again in the callback of a debit', async () => {
    const token = await newToken();
    const { fields } = await paid(
      { operation: 'debit', card_token: [token] },
      { 'card.saved': '0', 'card.cvv': '123' },
    );
    expect(fields).toMatchObject({ card_token: token, card: '411111******1111', card_expiration_date: '01/2038' });
  });

  test('of several cards the payer picks one, or a new one', async () => {
    const tokens = [await newToken(), await newToken(AMEX)];
    const page = await createPage(service.url, cardBody({ card_token: tokens }));
    expect(await show(page)).toMatch(
      /Visa ending in 1111[^]*Use another card[^]*American Express ending in 0005[^]*A new card/,
    );
    expect(await show(page, '?method=card&card=new')).toContain('name="card.number"');
    for (const token of tokens) expect(await show(page)).not.toContain(token);
    // The code of this card has four digits.
    const refused = await payByCard(page, { 'card.saved': '1', 'card.cvv': '123' });
    expect(refused.text).toContain('Invalid security code');
    expect((await payByCard(page, { 'card.saved': '1', 'card.cvv': '1234' })).status).toBe(303);
    expect(lastAsked()?.card.number).toBe('378282246310005');
  });

  test('pays with no other card than the one that was chosen, also where that is not offered any more', async () => {
    const page = await createPage(service.url, cardBody({ card_token: [await newToken()] }));
    const before = service.provider.asked.length;
    const { status, text } = await payByCard(page, { 'card.saved': '1', 'card.cvv': '123' });
    expect([status, service.provider.asked.length]).toEqual([422, before]);
    expect(text).toContain('name="card.number"');
  });

  test('of a payout only the expiry date is asked', async () => {
    const payee = { payee: { name: 'Ada Example' } };
    const change = { operation: 'credit', card_token: [await newToken()], ...payee };
    const page = await createPage(service.url, cardBody(change));
    const form = await show(page);
    expect(form).toContain('name="card.expiry"');
    for (const name of ['number', 'cvv', 'name']) expect(form).not.toContain(`name="card.${name}"`);
    expect((await payByCard(page, { 'card.saved': '0', 'card.expiry': '01/38' })).status).toBe(303);
    expect(lastAsked()?.card).toEqual({
      number: '4111111111111111',
      bin: '41111111',
      brand: 'visa',
      expiry: '01/2038',
      holder: 'Ada Example',
      stored: true,
    });
  });

  test('of a payout without a payee goes to the name on the card, and to the payee where one is sent', async () => {
    const names = [];
    for (const more of [{}, { payee: { name: 'Paula Payee' } }]) {
      const page = await createPage(
        service.url,
        cardBody({ operation: 'credit', card_token: [await newToken()], ...more }),
      );
      expect((await payByCard(page, { 'card.saved': '0', 'card.expiry': '01/38' })).status).toBe(303);
      names.push(lastAsked()?.payee_name);
    }
    expect(names).toEqual(['Ada Example', 'Paula Payee']);
  });

  test('that is unknown, another merchant’s or of the other mode is refused in the same words', async () => {
    const token = await newToken();
    const unknown = await answer({ card_token: [randomBytes(32).toString('hex')] });
    expect(unknown).toMatchObject({
      status: 400,
      json: { errors: [{ error_code: 100_000, error_message: 'card_token: This value is not correct.' }] },
    });
    const refusal = errorLines(unknown.json);
    expect(errorLines((await answer({ card_token: [token], merchant_key: otherMerchant.key })).json)).toEqual(refusal);
    expect(errorLines((await answer({ card_token: [token], merchant_key: merchant.testKey })).json)).toEqual(refusal);
    expect((await answer({ card_token: [token] })).status).toBe(200);
    expect(errorLines((await answer({ card_token: [token, 'f'.repeat(64)] })).json)).toEqual([
      'card_token: This value is not correct.',
    ]);
  });
});

async function answer(change: Readonly<Record<string, unknown>>) {
  const { order } = cardBody();
  const { password } = [otherMerchant, trial].find(({ key }) => key === change['merchant_key']) ?? merchant;
  return post(`${service.url}/api/v1/session`, { ...cardBody(change), order, hash: signSession(order, password) });
}
