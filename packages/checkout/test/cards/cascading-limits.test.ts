import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { merchantCalls } from '../support/acquirer-service.ts';
import { CASCADING } from '../support/card-config.ts';
import { CARD, cardBody, cardService, type CardService, payByCard } from '../support/card-service.ts';
import { createPage } from '../support/service.ts';

let service: CardService;
let ahead = 0;

beforeAll(async () => {
  service = await cardService({ clock: () => Date.now() + ahead }, { ...CASCADING, cascadingContext: true });
});
afterAll(() => service.stop());

const askedFor = (page: string) => service.provider.asked.filter(({ return_url }) => return_url.startsWith(page));
const listSchema = z.array(z.object({ payment_id: z.string(), status: z.string() }));

describe('the next account', () => {
  // A payout has no code that would be gone by then.
  test.each(['purchase', 'credit'])('is not asked after the payer of a %s was at the bank', async (operation) => {
    const page = await createPage(service.url, cardBody({ operation, payee: { name: 'Grace Example' } }));
    await payByCard(page, { ...CARD, 'card.expiry': '06/38' });
    const [payment] = askedFor(page);
    const back = new URLSearchParams({ cres: `cres-${payment?.id}` });
    await fetch(`${page}/back`, { method: 'POST', body: back, redirect: 'manual' });
    expect(await (await fetch(page)).text()).toContain('Your card was declined.');
    expect(askedFor(page)).toHaveLength(1);
  });

  test('may lead the payer to a bank, and the payment goes on there', async () => {
    const body = cardBody();
    const page = await createPage(service.url, body);
    service.provider.state.refuses = ({ return_url }) => return_url.startsWith(page) && askedFor(page).length === 1;
    await payByCard(page, { ...CARD, 'card.expiry': '05/38' });
    expect(askedFor(page).map(({ status }) => status)).toEqual(['REFUSED', 'CHALLENGE']);
    const back = new URLSearchParams({ cres: `cres-${askedFor(page)[1]?.id}` });
    await fetch(`${page}/back`, { method: 'POST', body: back, redirect: 'manual' });
    expect(await (await fetch(page)).text()).toContain('Payment complete');
    await service.shop.until(({ fields }) => fields.order_number === body.order.number && fields.status === 'success');
  });
});

test('with cascadingContext the status of any payment of a try is that of its newest', async () => {
  const body = cardBody();
  const page = await createPage(service.url, body);
  service.provider.state.refuses = ({ return_url }) => return_url.startsWith(page) && askedFor(page).length === 1;
  await payByCard(page);
  const { status, byOrder } = merchantCalls(service.url);
  const [last, first] = listSchema.parse(await byOrder(body.order.number, '10'));
  expect(last).toMatchObject({ status: 'settled' });
  for (const each of [last, first]) expect(await status(each?.payment_id ?? '')).toMatchObject({ ...last });
});

test('once the session is over the next account is not asked, and the payer reads that he was too late', async () => {
  const body = cardBody({ session_expiry: 1 });
  const page = await createPage(service.url, body);
  ahead = 30_000;
  service.provider.state.refuses = () => true;
  service.provider.state.beforeReply = () => {
    ahead = 61_000;
    return true;
  };
  await payByCard(page);
  expect(await (await fetch(page)).text()).toContain('This page has closed');
  await service.shop.until(({ fields }) => fields.order_number === body.order.number && fields.status === 'fail');
  expect(askedFor(page)).toHaveLength(1);
});
