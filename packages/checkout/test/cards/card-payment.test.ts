import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARD, cardBody, cardPage, cardService, type CardService, payByCard } from '../support/card-service.ts';
import { createPage } from '../support/service.ts';

let service: CardService;

beforeAll(async () => {
  service = await cardService();
}, 60_000);

afterAll(() => service.stop());

const askedFor = (number: string) => service.provider.asked.filter(({ return_url }) => return_url.startsWith(number));
const show = async (page: string) => (await fetch(page)).text();

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
    expect(await show(page)).toMatch(/Declined by processing\.[^]*You can try 2 more times\.[^]*Try again/);
    await payByCard(page);
    expect(await show(page)).toContain('Payment complete');
    expect(askedFor(page)).toHaveLength(2);
  });
});
