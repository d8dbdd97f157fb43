import { readPath } from '@railyard/core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CARD, cardBody, cardPage, cardService, type CardService, payByCard } from '../support/card-service.ts';
import { statusOf } from '../support/killed-payment.ts';
import { saleFields } from '../support/card-commands.ts';
import { sendCommand } from '../support/commands.ts';
import { cardConfig } from '../support/card-config.ts';
import { cardProvider } from '../support/card-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, post, startOn } from '../support/service.ts';

let service: CardService;

beforeAll(async () => {
  service = await cardService({}, { statusData: ['brand', 'card'] }, { cardBrands: ['visa', 'mastercard'] });
});

afterAll(() => service.stop());

const askedFor = (number: string) => service.provider.asked.filter(({ return_url }) => return_url.startsWith(number));
const show = async (page: string, query = '') => (await fetch(`${page}${query}`)).text();

describe('a payment by card', () => {
  test('reaches the provider as it was typed, and the merchant masked', async () => {
    const body = cardBody();
    const page = await createPage(service.url, body);
    expect((await payByCard(page)).status).toBe(303);
    expect(askedFor(page)).toMatchObject([
      { amount: '10.00', card: { number: '4111111111111111', cvv: '123', expiry: '01/2038', holder: 'Ada Example' } },
    ]);
    expect(await show(page)).toContain('Payment complete');
    const told = await service.shop.until(({ fields }) => fields.order_number === body.order.number);
    expect(told.fields).toMatchObject({ status: 'success', order_status: 'settled' });
  });

  test('that is declined can be tried again, as often as the merchant allows', async () => {
    const page = await cardPage(service);
    await payByCard(page, { ...CARD, 'card.expiry': '02/38' });
    expect(await show(page)).toMatch(/Your card was declined\.[^]*You can try 2 more times\.[^]*Try again/);
    await payByCard(page);
    expect(await show(page)).toContain('Payment complete');
    expect(askedFor(page)).toHaveLength(2);
  });

  test('whose attempts are used up leads to cancel_url', async () => {
    const page = await cardPage(service);
    for (const left of ['You can try 2 more times.', 'You can try once more.', 'There are no attempts left.']) {
      await payByCard(page, { ...CARD, 'card.expiry': '02/38' });
      expect(await show(page)).toContain(left);
    }
    expect(await show(page)).toMatch(/href="https:\/\/shop\.example\/cancel[^"]*"[^>]*data-leave/);
    expect((await payByCard(page)).status).toBe(303);
    expect(askedFor(page)).toHaveLength(3);
  });

  test('whose answer is lost is checked, not shown as failed, and looked up', async () => {
    service.provider.state.beforeReply = ({ return_url }) => {
      service.provider.state.beforeReply = () => true;
      return return_url === '';
    };
    let letLook: () => void = () => undefined;
    const seen = new Promise<void>((resolve) => (letLook = resolve));
    service.provider.state.beforeLookup = () => seen;
    const body = cardBody();
    const page = await createPage(service.url, body);
    expect((await payByCard(page)).status).toBe(303);
    expect(await show(page)).toMatch(/Checking your payment[^]*Do not pay again/);
    letLook();
    await payByCard(page);
    await service.shop.until(({ fields }) => fields.order_number === body.order.number && fields.status === 'success');
    expect(await show(page)).toContain('Payment complete');
    expect(askedFor(page)).toHaveLength(1);
  });

  test('with a name that was sent asks no other, and gives the name on the card to a method that needs one', async () => {
    const page = await cardPage(service, { customer: { name: 'Grace Example' } });
    expect(await show(page)).toContain('value="Grace Example"');
  });

  test('has its card in status answers, where that is switched on', async () => {
    const page = await cardPage(service);
    await payByCard(page);
    const { fields } = await service.shop.until(({ fields: told }) => told.status === 'success');
    expect(await statusOf(service.url, fields.id ?? '')).toMatchObject({
      brand: 'visa',
      card: '411111******1111',
      card_expiration_date: '01/2038',
    });
  });

  test('is refused for a network that the account does not take', async () => {
    const page = await cardPage(service);
    const { status, text } = await payByCard(page, { ...CARD, 'card.number': '6200000000000005' });
    expect([status, text.includes('Cards of this network are not accepted here.')]).toEqual([422, true]);
    expect(askedFor(page)).toHaveLength(0);
  });

  test('sends the fields of the payer’s browser to the provider', async () => {
    const page = await cardPage(service);
    await payByCard(page, CARD, {
      'user-agent': 'Browser/1',
      accept: 'text/html',
      'accept-language': 'pt-BR,pt;q=0.8',
    });
    expect(askedFor(page)).toMatchObject([
      { client: { ip: '127.0.0.1', userAgent: 'Browser/1', accept: 'text/html', language: 'pt-BR' } },
    ]);
  });
});

describe('a transfer from card to card', () => {
  const transfer = { operation: 'transfer', payee: { name: 'Grace Example' } };

  test('asks for the receiver’s number, and reports both masked', async () => {
    const body = cardBody(transfer);
    const page = await createPage(service.url, body);
    expect(await show(page, `?order.amount=${body.order.amount}`)).toContain('Card number of the receiver');
    expect(
      (await payByCard(page, { ...CARD, 'card.payee': '5555 5555 5555 4444', 'order.amount': body.order.amount }))
        .status,
    ).toBe(303);
    expect(askedFor(page)).toMatchObject([{ card: { number: '4111111111111111' }, payee: '5555555555554444' }]);
    const { fields } = await service.shop.until((told) => told.fields.order_number === body.order.number);
    expect(fields).toMatchObject({ type: 'transfer', card: '411111******1111', payee_card: '555555******4444' });
  });

  test('refuses a number that is none', async () => {
    const page = await cardPage(service, transfer);
    const { status, text } = await payByCard(page, {
      ...CARD,
      'card.payee': '5555555555554445',
      'order.amount': '10.00',
    });
    expect([status, text.includes('Invalid card number')]).toEqual([422, true]);
    expect(text).not.toMatch(/5555 ?5555/);
    expect(askedFor(page)).toHaveLength(0);
  });
});

describe('card testing', () => {
  test('is refused by merchant and address after the declines that are allowed, in whatever session', async () => {
    const [provider, shop] = [await cardProvider(), await receiver()];
    const testing = await startOn((port) => ({
      ...cardConfig({ providerUrl: provider.url, callbackUrl: shop.url, port }),
      rateLimits: { declines: { requests: 2, seconds: 600 } },
    }));
    onTestFinished(() => Promise.all([testing.stop(), shop.close(), provider.close()]).then(() => undefined));
    const declined = { ...CARD, 'card.expiry': '02/38' };
    for (let session = 0; session < 2; session += 1)
      expect((await payByCard(await cardPage(testing), declined)).status).toBe(303);
    const refused = await payByCard(await cardPage(testing), CARD);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('Too many payments from your connection were declined.');
    expect(provider.asked).toHaveLength(2);
  });
});

describe('the log of a provider call and of a refused request', () => {
  test('names payment, order number, merchant and MID, and the id that the answer has', async () => {
    const body = cardBody();
    const page = await createPage(service.url, body);
    await payByCard(page);
    const lines = service.lines.map((line) => JSON.parse(line));
    const called = lines.find(({ event, order }) => event === 'provider-call' && order === body.order.number);
    expect(called).toMatchObject({ payment: expect.any(String), merchant: body.merchant_key, mid: expect.any(String) });
    const refused = await post(`${service.url}/api/v1/session`, { ...cardBody(), operation: 'none' });
    expect(lines.length).toBeLessThan(service.lines.length);
    const line = service.lines.map((each) => JSON.parse(each)).find(({ event }) => event === 'request-refused');
    expect(line).toMatchObject({
      request: readPath(refused.json, 'request_id'),
      merchant: body.merchant_key,
      action: '/session',
      status: 400,
      why: expect.stringContaining('operation'),
    });
    const command = await sendCommand(service.url, saleFields({ order_currency: 'none' }));
    const ofCommand = service.lines
      .map((each) => JSON.parse(each))
      .find(({ event, action }) => event === 'request-refused' && action === 'SALE');
    expect(ofCommand).toMatchObject({ merchant: body.merchant_key, status: 400, why: expect.any(String) });
    expect(command.status).toBe(400);
  });
});
