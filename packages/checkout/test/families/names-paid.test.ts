import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquirerService } from '../support/acquirer-service.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { confirmedAt, inPesos, realService, type RealService, sentToPaypal } from '../support/real-providers.ts';
import { manyMethodsService } from '../support/many-methods-service.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';

let card: Awaited<ReturnType<typeof acquirerService>>;
let pix: RealService;
let mexico: RealService;
let paypal: RealService;

beforeAll(async () => {
  [card, pix, mexico, paypal] = await Promise.all([
    acquirerService(),
    realService('pix-bcb'),
    realService('conekta'),
    realService('paypal'),
  ]);
  paypal.simulator.setRule({ connector: 'paypal', scenario: 'settled' });
});
afterAll(() => Promise.all([card, pix, mexico, paypal].map((each) => each.stop())));

/** Names as their owners write them, and as they stand on a card, in Latin letters. */
const NAMES = [
  ['José Núñez', 'José Núñez'],
  ["Luís d'Ávila", "Luís d'Ávila"],
  ['Anaïs L’Hôte', 'Anaïs L’Hôte'],
  ['Jürgen Groß', 'Jürgen Groß'],
  ['Łukasz Żółć', 'Łukasz Żółć'],
  ['İbrahim Çağlar', 'İbrahim Çağlar'],
  ['Nguyễn Thị Hương', 'Nguyễn Thị Hương'],
  ['Suharto', 'Suharto'],
  ['ACME & CO LTD', 'ACME & CO LTD'],
  ['Іван Петренко', 'Ivan Petrenko'],
  ['محمد علي', 'Mohammed Ali'],
  ['山田 太郎', 'Taro Yamada'],
] as const;

type Told = { readonly fields: Readonly<Record<string, string>> };
const settled =
  (number: string) =>
  ({ fields }: Told): boolean =>
    fields['order_number'] === number && fields['order_status'] === 'settled';

test.each(NAMES)('%s pays by card as %s, by Pix, by a bank transfer of SPEI and by PayPal', async (name, onCard) => {
  const customer = { customer: { name, email: 'payer@example.com' } };

  const byCard = cardBody(customer);
  await payByCard(await createPage(card.url, byCard), { ...CARD, 'card.name': onCard });
  await card.shop.until(settled(byCard.order.number));

  const charge = { devedor_documento: '52998224725', devedor_nome: name };
  const byPix = sessionBody({ ...customer, methods: ['pix-charge'], parameters: { 'pix-charge': charge } });
  await pressPay(await createPage(pix.url, byPix), { method: 'pix-charge' });
  expect(pix.simulator.payments().at(-1)?.request).toMatchObject({ devedor: { nome: name } });
  pix.simulator.settle(pix.simulator.payments().at(-1)?.id ?? '');
  await pix.shop.until(settled(byPix.order.number));

  const bySpei = { ...inPesos('spei'), ...customer };
  await pressPay(await createPage(mexico.url, bySpei), { method: 'spei' });
  expect(JSON.stringify(mexico.simulator.payments().at(-1)?.request)).toContain(name);
  mexico.simulator.settle(mexico.simulator.payments().at(-1)?.id ?? '');
  await mexico.shop.until(settled(bySpei.order.number));

  const { number, page } = await sentToPaypal(paypal.url, paypal.simulator, customer);
  await fetch(await confirmedAt(page));
  await paypal.shop.until(settled(number));
});

test('where the mapping wants Latin letters a session is refused by the letter, and the page writes a name in them or asks for it', async () => {
  const service = await manyMethodsService({ names: 'latin' });
  const [method, order] = ['online-bank-transfer', { currency: 'EUR' }];
  const named = sessionBody({ methods: [method], customer: { name: 'José Núñez' } }, order);
  expect(await post(`${service.url}/api/v1/session`, named)).toMatchObject({
    status: 400,
    json: { errors: [{ error_message: expect.stringContaining('customer.name: ') }] },
  });
  const page = await createPage(service.url, sessionBody({ methods: [method] }, order));
  const refused = await pressPay(page, { method, 'customer.name': '山田 太郎' });
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('in Latin letters.')]);
  expect(service.bank.ledger).toEqual([]);
  expect((await pressPay(page, { method, 'customer.name': 'José Núñez' })).status).toBe(303);
  expect(service.bank.ledger).toMatchObject([{ sent: { firstname: 'Jose', lastname: 'Nunez' } }]);
  await service.stop();
});
