import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARD, type CardService, cardBody, cardService, payByCard } from '../support/card-service.ts';
import { createPage } from '../support/service.ts';

let cards: CardService;

beforeAll(async () => {
  cards = await cardService();
});

afterAll(() => cards.stop());

const wordsOf = ({ fields }: { readonly fields: Readonly<Record<string, string>> }) =>
  ['type', 'status', 'order_status'].map((name) => fields[name]).join(' ');

test.each([
  ['05/38', '3ds success 3ds', 'sale success settled'],
  ['06/38', '3ds success 3ds', 'sale fail decline'],
  ['12/38', 'redirect success redirect', 'sale success settled'],
])('a payment on the page with a card of %s calls back the step first: %s', async (expiry, step, end) => {
  const body = cardBody();
  await payByCard(await createPage(cards.url, body), { ...CARD, 'card.expiry': expiry });
  const ofOrder = () => cards.shop.received.filter(({ fields }) => fields['order_number'] === body.order.number);
  await cards.shop.until((each) => each.fields['order_number'] === body.order.number && wordsOf(each) === step);
  const back = cards.provider.asked.at(-1)?.return_url ?? '';
  await fetch(back, { method: 'POST', body: new URLSearchParams({ cres: 'cres' }), redirect: 'manual' });
  await cards.shop.until((each) => each.fields['order_number'] === body.order.number && wordsOf(each) === end);
  expect(ofOrder().map(wordsOf)).toEqual([step, end]);
});
