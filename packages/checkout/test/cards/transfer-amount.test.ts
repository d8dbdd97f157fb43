import { signRequest, signSession } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account, acquirerService, type AcquirerService, told } from '../support/acquirer-service.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { createPage, merchant, post } from '../support/service.ts';

let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService({}, (settings) => [
    account('cards', settings, { limits: { card: [{ currency: 'USD', min: '5.00', max: '500.00' }] } }),
  ]);
});
afterAll(() => service.stop());

const bodyOf = (amount: string) =>
  cardBody({ operation: 'transfer', payee: { name: 'Grace Example' } }, { amount, currency: 'USD' });
const cards = { ...CARD, 'card.payee': '5555 5555 5555 4444' };
const show = async (page: string, query = '') => (await fetch(`${page}${query}`)).text();
/** The value of the page's input for the amount. */
const fieldOn = (html: string) => /<input(?=[^>]*name="order\.amount")[^>]*value="([^"]*)"/.exec(html)?.[1];
/** The page after the payer has said how much. */
const say = (page: string, amount: string, language = 'en') =>
  fetch(`${page}?${new URLSearchParams({ method: 'card', again: '1', 'order.amount': amount }).toString()}`, {
    headers: { 'accept-language': language },
  }).then((reply) => reply.text());
/** Says how much, and pays what the page then shows. */
const sayAndPay = async (page: string, amount: string, card: Readonly<Record<string, string>> = cards) =>
  payByCard(page, { ...card, 'order.amount': fieldOn(await say(page, amount)) ?? '' });
/** The amounts that the acquirer was asked for, in cents. */
const asked = (page: string) =>
  service.asked
    .filter(({ url, body }) => url.endsWith('/v1/transfers') && String(body).includes(page))
    .map(({ body }) => JSON.parse(String(body)).amount);

describe('a transfer whose payer says how much', () => {
  test('has an empty field for it, and is made with what was entered', async () => {
    const body = bodyOf('-1');
    const page = await createPage(service.url, body);
    const html = await show(page);
    expect(html).toContain('You choose the amount');
    expect(fieldOn(html)).toBe('');
    expect((await sayAndPay(page, ' 12.5 ')).status).toBe(303);
    expect(asked(page)).toEqual([1250]);
    const fields = await told(service, body.order.number, { status: 'success' });
    const { number, description, currency } = body.order;
    expect(fields).toMatchObject({
      type: 'transfer',
      order_amount: '12.50',
      hash: signRequest(
        'callback',
        { payment_id: fields.id ?? '', number, amount: '12.50', currency, description },
        merchant.password,
      ),
    });
    expect(await service.status(fields.id ?? '')).toMatchObject({ status: 'settled', order: { amount: '12.50' } });
    expect(await show(page)).toContain('12.50');
  });

  test.each([
    ['250,5', 'en', 'USD 250.50', 'Pay USD 250.50'],
    ['250.5', 'de', '250,50 USD', '250,50 USD zahlen'],
    ['250,50', 'pt-BR', 'USD 250,50', 'Pagar USD 250,50'],
    ['$ 250', 'en', 'USD 250.00', 'Pay USD 250.00'],
    ['٢٥٠٫٥', 'ar-EG', '\u200F250.50 USD', 'ادفع \u200F250.50 USD'],
  ])('shows "%s" in %s as it was understood before anything is paid', async (typed, language, amount, button) => {
    const page = await createPage(service.url, bodyOf('-1'));
    const html = (await say(page, typed, language)).replaceAll('\u00a0', ' ');
    expect(html).toMatch(new RegExp(`class="amount[^"]*">[^]*?<bdi>${amount}</bdi>`));
    expect(html).toContain(button);
    expect(fieldOn(html)).toMatch(/^250\.[05]0$/);
    expect(asked(page)).toEqual([]);
  });

  test.each([
    ['a blank', '  ', 'Check this entry'],
    ['zero', '0.00', 'This value should be greater than 0.'],
    ['less than nothing', '-1', 'This value should be greater than 0.'],
    ['too many decimals', '12.5055', 'This value should have 2 decimals or less.'],
    ['a mark that may mean two things', '1.250', 'Please write the amount without thousands separators'],
    ['words', 'all of it', 'Check this entry'],
    ['less than the account takes', '4.99', 'This value should be greater than or equal to 5.00.'],
    ['more than the account takes', '500.01', 'This value should be less than or equal to 500.00.'],
  ])('is refused beside the field, before a card is asked for, with %s', async (_name, amount, text) => {
    const page = await createPage(service.url, bodyOf('-1'));
    const html = await say(page, amount);
    expect(html).toMatch(new RegExp(`id="field-order\\.amount-problem"[^>]*>\\s*<bdi>${text.replaceAll('.', '\\.')}`));
    expect(fieldOn(html)).toBe(amount);
    expect(html).not.toContain('card.number');
  });

  test.each([
    ['was not shown first', '250,5', 'Pay USD 250.50'],
    ['is not in the protocol’s format', '250.5', 'Pay USD 250.50'],
    ['is above the limit', '500.01', 'How much?'],
    ['is none', '', 'How much?'],
  ])('is not paid with an amount that %s', async (_name, amount, shown) => {
    const page = await createPage(service.url, bodyOf('-1'));
    const { status, text } = await payByCard(page, { ...cards, 'order.amount': amount });
    expect([status, text.replaceAll('\u00a0', ' ')]).toEqual([422, expect.stringContaining(shown)]);
    expect(text).not.toMatch(/4111 ?1111|5555 ?5555/);
    expect(asked(page)).toEqual([]);
  });

  test('is refused with an emptied field, also where the request names an amount', async () => {
    const page = await createPage(service.url, bodyOf('10.00'));
    expect((await payByCard(page, { ...cards, 'order.amount': '' })).status).toBe(422);
    expect(asked(page)).toEqual([]);
  });

  test('has the amount of the request to begin with, and may change it', async () => {
    const body = bodyOf('10.00');
    const page = await createPage(service.url, body);
    expect(fieldOn(await show(page))).toBe('10.00');
    await sayAndPay(page, '25');
    expect(asked(page)).toEqual([2500]);
    expect(await told(service, body.order.number, { status: 'success' })).toMatchObject({ order_amount: '25.00' });
  });

  test('that is declined has what was entered to try again with', async () => {
    const body = bodyOf('-1');
    const page = await createPage(service.url, body);
    await sayAndPay(page, '30', { ...cards, 'card.expiry': '02 / 38' });
    expect(await told(service, body.order.number, { status: 'fail' })).toMatchObject({ order_amount: '30.00' });
    const again = await show(page, '?again=1');
    expect(fieldOn(again)).toBe('30.00');
    const [, change = ''] = /<a class="link" href="([^"]*)"/.exec(again) ?? [];
    const changing = await (await fetch(new URL(change.replaceAll('&amp;', '&'), page))).text();
    expect(changing).toContain('How much?');
    expect(fieldOn(changing)).toBe('30.00');
    // A date of the declined card would stand before the new one's.
    expect(await say(page, '31')).not.toContain('value="02 / 38"');
    await sayAndPay(page, '31');
    expect(asked(page)).toEqual([3000, 3100]);
    expect(await told(service, body.order.number, { status: 'success' })).toMatchObject({ order_amount: '31.00' });
  });
});

describe('an amount of three decimals, where the payer’s language parts thousands with a point', () => {
  const german = { 'accept-language': 'de' };
  const open = (amount: string) => {
    const { order, ...body } = cardBody({ operation: 'transfer', payee: { name: 'Grace Example' } });
    const dinars = { ...order, amount, currency: 'KWD' };
    return createPage(service.url, { ...body, order: dinars, hash: signSession(dinars, merchant.password) });
  };
  const see = async (page: string, query: string) => (await fetch(`${page}${query}`, { headers: german })).text();
  const pay = async (page: string, fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ method: 'card', ...cards, ...fields });
    return (await fetch(`${page}/pay`, { method: 'POST', headers: german, body })).text();
  };

  test('stands in the payer’s marks where the request names it, and stays what it is when the payer goes on', async () => {
    const page = await open('1.250');
    const written = fieldOn(await see(page, ''));
    expect(written).toBe('1,250');
    expect(fieldOn(await say(page, written ?? '', 'de'))).toBe('1.250');
  });

  test('stays what it is when another entry is refused, and after a decline', async () => {
    const page = await open('-1');
    expect(fieldOn(await say(page, '1,25', 'de'))).toBe('1.250');
    expect(fieldOn(await pay(page, { 'order.amount': '1.250', 'card.cvv': '1' }))).toBe('1.250');
    await pay(page, { 'order.amount': '1.250', 'card.expiry': '02 / 38' });
    expect(fieldOn(await see(page, '?again=1&method=card'))).toBe('1.250');
  });

  test('stays what it is when another card is chosen', async () => {
    const page = await open('-1');
    expect(fieldOn(await see(page, '?method=card&again=1&order.amount=1.250'))).toBe('1250.000');
    expect(fieldOn(await see(page, '?method=card&again=1&order.amount=1.250&reviewed=1'))).toBe('1.250');
  });
});

test('other operations have no field for the amount, and what is sent as one changes nothing', async () => {
  const body = cardBody();
  const page = await createPage(service.url, body);
  expect(fieldOn(await show(page))).toBe(undefined);
  await payByCard(page, { ...CARD, 'order.amount': '6.00' });
  expect(await told(service, body.order.number, { status: 'success' })).toMatchObject({ order_amount: '10.00' });
});

test.each(['purchase', 'debit', 'credit'])('a %s of -1 is refused', async (operation) => {
  const { status, json } = await post(
    `${service.url}/api/v1/session`,
    cardBody({ operation, payee: { name: 'Grace Example' } }, { amount: '-1' }),
  );
  expect([status, JSON.stringify(json)]).toEqual([
    400,
    expect.stringContaining('order.amount: This value should be greater than 0.'),
  ]);
});
