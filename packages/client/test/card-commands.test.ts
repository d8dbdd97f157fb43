import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../../checkout/test/support/acquirer-service.ts';
import { merchant } from '../../checkout/test/support/service.ts';
import { type CardDebit, type CardSale, type Client, createClient } from '../src/index.ts';

const CARD = '4111111111111111';
const signedWith = { payer_email: 'doe@example.com', card_number: CARD };

let service: AcquirerService;
let client: Client;

beforeAll(async () => {
  service = await acquirerService();
  client = createClient({ baseUrl: service.url, merchantKey: merchant.key, password: merchant.password });
});
afterAll(() => service.stop());

let orders = 0;
const order = () => {
  orders += 1;
  return {
    order_id: `client-${process.pid}-${orders}`,
    order_amount: '3.00',
    order_currency: 'USD',
    order_description: 'Tea',
  };
};
const sale = (change: Pick<CardSale, 'auth' | 'recurring_init'> = {}): CardDebit & Pick<CardSale, 'auth'> => ({
  ...order(),
  card_number: CARD,
  card_exp_month: '01',
  card_exp_year: '2038',
  card_cvv2: '123',
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_address: 'Big street',
  payer_country: 'US',
  payer_state: 'CA',
  payer_city: 'City',
  payer_zip: '123456',
  payer_email: signedWith.payer_email,
  payer_phone: '199999999',
  payer_ip: '192.0.2.1',
  term_url_3ds: 'https://shop.example/back',
  ...change,
});
const SETTLED = { result: 'SUCCESS', status: 'SETTLED' };

test('a sale by card is found, told in detail and given back in part', async () => {
  const sent = sale();
  const { trans_id, ...answer } = await client.cardSale(sent);
  expect(answer).toMatchObject(SETTLED);
  expect(await client.transactionStatus({ trans_id, signedWith })).toMatchObject(SETTLED);
  const { order_id } = sent;
  expect(await client.transactionStatusByOrder({ order_id, signedWith })).toMatchObject({ ...SETTLED, trans_id });
  const details = await client.transactionDetails({ trans_id, signedWith });
  expect(details.transactions).toMatchObject([{ type: 'sale', status: 'success', amount: '3.00' }]);
  const back = await client.creditVoid({ trans_id, amount: '1.00', signedWith });
  expect(back).toMatchObject({ result: 'ACCEPTED', trans_id });
});

test('a hold is captured, a sale is voided, a debit is a debit', async () => {
  const held = await client.cardSale(sale({ auth: 'Y' }));
  expect(held).toMatchObject({ result: 'SUCCESS', status: 'PENDING' });
  const captured = await client.captureTransaction({ trans_id: held.trans_id, amount: '2.00', signedWith });
  expect(captured).toMatchObject(SETTLED);
  const { trans_id } = await client.cardSale(sale());
  expect(await client.voidTransaction({ trans_id, signedWith })).toMatchObject({ result: 'SUCCESS', status: 'VOID' });
  expect(await client.cardDebit(sale())).toMatchObject(SETTLED);
});

test.each([
  ['cardSale', 'recurringSale'],
  ['cardDebit', 'recurringDebit'],
] as const)('what a %s agreed to is charged again by %s', async (first, later) => {
  const begun = await client[first](sale({ recurring_init: 'Y' }));
  const { order_currency: _same, ...again } = order();
  const charged = await client[later]({
    ...again,
    recurring_first_trans_id: begun.trans_id,
    recurring_token: begun.recurring_token ?? '',
    signedWith,
  });
  expect(charged).toMatchObject(SETTLED);
  await expect(client.retryTransaction({ trans_id: charged.trans_id, signedWith })).rejects.toMatchObject({
    kind: 'refused',
    reason: 'Not acceptable to request the retry for payment not softly declined.',
  });
});

test('money goes to a card, and from one card to another', async () => {
  const payee = { payee_first_name: 'Jane', payee_last_name: 'Roe' };
  const paid = await client.creditToCard({ ...order(), ...payee, card_number: '4601541833776519' });
  expect(paid).toMatchObject(SETTLED);
  const moved = await client.cardToCard({
    ...order(),
    payer_card_number: CARD,
    payer_card_exp_month: '01',
    payer_card_exp_year: '2038',
    payer_card_cvv2: '123',
    payer_ip: '192.0.2.1',
    payee_card_number: '4601541833776519',
    term_url_3ds: 'https://shop.example/back',
  });
  expect(moved).toMatchObject(SETTLED);
});
