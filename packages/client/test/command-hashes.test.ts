import { expect, test } from 'vitest';
import { type Client, createClient } from '../src/index.ts';

const payer_email = 'doe@example.com';
const card_number = '4111111111111111';
const payoutCard = '4601541833776519';
const trans_id = 'aaaff66a-904f-11ea-833e-0242ac1f0007';
const card_token = 'f5d6a0ab6fcfb6487a39e2256e50fff3c95aaa97075ee5e539bb662fceff4dc1';
const signedWith = { payer_email, card_number };
const expiry = { card_exp_month: '01', card_exp_year: '2038', card_cvv2: '123' };
const order = {
  order_id: 'ORDER12345',
  order_amount: '1.99',
  order_currency: 'USD',
  order_description: 'Tea',
  payer_ip: '192.0.2.1',
};
const back = { term_url_3ds: 'https://shop.example/' };
const paidOut = { ...order, order_id: '64401210', order_amount: '0.19', brand: 'any' };
const debit = {
  ...order,
  brand: 'any',
  identifier: 'success@gmail.com',
  payer_address: 'Rua A 1',
  payer_return_url: 'https://shop.example/',
};
const ofCollection = 'c2560e353ff4b971909b11648f9b2347';
const charge = { ...order, recurring_first_trans_id: trans_id, recurring_token: 'token', signedWith };
const ofCard = '53f5780c59258f6764211a744d1ce738';
const ofTransaction = '3b02ebf79dc68f09dc318597f8691727';
const terms = { name: 'Gold', interval_length: 1, interval_unit: 'month', payments_count: 12 } as const;
const schedule_id = '57fddecf-17b9-4d38-9320-a670f0c29ec0';
const ofSchedule = '8af2dbb50f20506291ac128e33bc85d4';
const ofPayout = '0001f317b9447db4f765b043e4e1e63d';

/** Worked results of the reference (S2S CARD, 14; S2S APM, 11). */
test.each<[string, (client: Client) => Promise<unknown>, string]>([
  ['SALE', (client) => client.cardSale({ ...order, ...back, ...expiry, payer_email, card_number }), ofCard],
  [
    'SALE',
    (client) => client.cardSale({ ...order, ...back, payer_email, card_token }),
    'bd23db9604201bc740e507ca51dbef6e',
  ],
  [
    'SALE',
    (client) => client.cardSale({ ...order, ...back, payer_email, digital_wallet: 'applepay', payment_token: '{}' }),
    'd594d68440c8c752d16d31fe494aef6d',
  ],
  [
    'DEBIT',
    (client) => client.cardDebit({ ...order, ...back, ...expiry, card_number }),
    'c82e752742ceb77caacc24dfccfe0903',
  ],
  [
    'SALE',
    (client) =>
      client.apmSale({ ...order, brand: 'any', identifier: 'success@gmail.com', return_url: 'https://shop.example/' }),
    ofCollection,
  ],
  ['DEBIT2VIRTUAL', (client) => client.debitToVirtual(debit), ofCollection],
  ['DEBIT2VIRTUAL_CALC', (client) => client.calculateDebit(debit), ofCollection],
  ['DEBIT2VIRTUAL_COMPLETE', (client) => client.completeDebit({ trans_id }), 'a72a1d6132a13f980bc01b62e368baa9'],
  ['RECURRING_SALE', (client) => client.recurringSale(charge), ofCard],
  ['RECURRING_DEBIT', (client) => client.recurringDebit(charge), ofCard],
  ['RETRY', (client) => client.retryTransaction({ trans_id, signedWith }), ofCard],
  ['CAPTURE', (client) => client.captureTransaction({ trans_id, signedWith }), ofTransaction],
  ['CREDITVOID', (client) => client.creditVoid({ trans_id, signedWith }), ofTransaction],
  ['CREDITVOID', (client) => client.creditVoid({ trans_id }), '8c484f8c5e5a2657b8cf19d78f297411'],
  ['VOID', (client) => client.voidTransaction({ trans_id }), 'a72a1d6132a13f980bc01b62e368baa9'],
  // The worked set of the reference (S2S CARD, Signatures).
  ['CREATE_SCHEDULE', (client) => client.createSchedule(terms), '42c64346966cabbcb66a3585ac313d4c'],
  ['UPDATE_SCHEDULE', (client) => client.onSchedule('UPDATE_SCHEDULE', { schedule_id, name: 'New' }), ofSchedule],
  ['PAUSE_SCHEDULE', (client) => client.onSchedule('PAUSE_SCHEDULE', { schedule_id }), ofSchedule],
  ['RUN_SCHEDULE', (client) => client.onSchedule('RUN_SCHEDULE', { schedule_id }), ofSchedule],
  ['DESCHEDULE', (client) => client.onSchedule('DESCHEDULE', { schedule_id, recurring_token: 'f5d6a0ab' }), ofSchedule],
  ['DELETE_SCHEDULE', (client) => client.onSchedule('DELETE_SCHEDULE', { schedule_id }), ofSchedule],
  ['SCHEDULE_INFO', (client) => client.onSchedule('SCHEDULE_INFO', { schedule_id }), ofSchedule],
  ['GET_TRANS_DETAILS', (client) => client.transactionDetails({ trans_id, signedWith }), ofTransaction],
  ['GET_TRANS_STATUS', (client) => client.transactionStatus({ trans_id }), 'a72a1d6132a13f980bc01b62e368baa9'],
  [
    'GET_TRANS_STATUS_BY_ORDER',
    (client) => client.transactionStatusByOrder({ order_id: 'ORDER-12345', signedWith }),
    '2e13630a7969b964d4f6a4066f2907b4',
  ],
  [
    'CREDIT2CARD',
    (client) => client.creditToCard({ ...order, payer_email, card_number: payoutCard }),
    '7a41f32e32b34064735eae6ea6ea0477',
  ],
  [
    'CARD2CARD',
    (client) =>
      client.cardToCard({
        ...order,
        ...back,
        payer_email,
        payer_card_number: card_number,
        payer_card_exp_month: '01',
        payer_card_exp_year: '2038',
        payer_card_cvv2: '123',
        payee_card_number: payoutCard,
      }),
    ofCard,
  ],
  ['CREDIT2VIRTUAL', (client) => client.creditToVirtual(paidOut), ofPayout],
  ['CREDIT2CRYPTO', (client) => client.creditToCrypto(paidOut), ofPayout],
])('%s carries the hash of the reference', async (action, call, hash) => {
  const sent: unknown[] = [];
  const client = createClient({
    baseUrl: 'https://pay.example.com',
    merchantKey: 'k',
    password: 'Demo-Merchant-Pass-01',
    fetch: async (_url, { body }) => {
      sent.push(JSON.parse(body));
      const transaction = { action, result: 'SUCCESS', status: 'SETTLED', order_id: 'o', trans_id, transactions: [] };
      const schedule = { schedule_id, name: 'Gold', paused: 'N' };
      return Response.json({ ...transaction, ...schedule });
    },
  });
  await call(client);
  expect(sent).toEqual([expect.objectContaining({ action, client_key: 'k', hash })]);
  expect(sent[0]).not.toHaveProperty('signedWith');
});
