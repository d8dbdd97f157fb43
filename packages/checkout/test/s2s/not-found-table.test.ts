import { cardDigits, signCommand, signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { CARD_NUMBER, onTransaction, PAYER_EMAIL, saleFields, transactionHash } from '../support/card-commands.ts';
import { type Fields, sendCommand } from '../support/commands.ts';
import { scheduleCommands } from '../support/schedules.ts';
import { merchant, post } from '../support/service.ts';

let service: AcquirerService;

/** A sale of the merchant's, so that there is something which a caller could find out about. */
let sold: { readonly trans_id: string; readonly order_id: string; readonly recurring_token: string };

beforeAll(async () => {
  service = await acquirerService();
  const { json } = await sendCommand(service.url, saleFields({ recurring_init: 'Y' }));
  const { trans_id, order_id, recurring_token } = json;
  plan = await scheduleCommands(service.url).create();
  sold = { trans_id: String(trans_id), order_id: String(order_id), recurring_token: String(recurring_token) };
});

afterAll(() => service.stop());

const UNKNOWN = '00000000-1111-4222-8333-444444444444';
const FORGED = 'f'.repeat(32);

type Signer = Pick<typeof merchant, 'key' | 'password'>;

/** A row of the table: its request of an id, signed unless a hash is given, and the id that is there. */
interface Row {
  readonly ask: (id: string, hash?: string, who?: Signer) => Promise<{ status: number; json: unknown }>;
  readonly known: () => string;
  readonly code: number | string;
  readonly message: string;
}

const command = (fields: Fields) => sendCommand(service.url, fields);

const hosted = (name: 'payment_id' | 'order_id'): Row['ask'] => {
  const formula = name === 'payment_id' ? 'status_by_payment' : 'status_by_order';
  return (id, hash, { key, password } = merchant) => {
    const signed = signRequest(formula, { payment_id: id, order_id: id }, password);
    return post(`${service.url}/api/v1/payment/status`, { merchant_key: key, [name]: id, hash: hash ?? signed });
  };
};

const byTransaction =
  (action: string): Row['ask'] =>
  (id, hash, who = merchant) =>
    command(onTransaction(action, id, { hash: hash ?? transactionHash(id, who.password) }, who));

const byOrder: Row['ask'] = (order_id, hash, { key, password } = merchant) => {
  const covered = { payer_email: PAYER_EMAIL, order_id, card: cardDigits(CARD_NUMBER) };
  const signed = signCommand('card_order', covered, password);
  return command({ action: 'GET_TRANS_STATUS_BY_ORDER', client_key: key, order_id, hash: hash ?? signed });
};

let charges = 0;

const byMandate: Row['ask'] = (recurring_first_trans_id, hash, { key, password } = merchant) => {
  const signed = signCommand('card', { payer_email: PAYER_EMAIL, card: cardDigits(CARD_NUMBER) }, password);
  charges += 1;
  return command({
    action: 'RECURRING_SALE',
    client_key: key,
    order_id: `charge-${charges}`,
    order_amount: '3.00',
    order_description: 'Later',
    recurring_first_trans_id,
    recurring_token: sold.recurring_token,
    hash: hash ?? signed,
  });
};

const DOES_NOT_EXIST = { code: 101_000, message: 'Transaction does not exist.' };
const NOT_FOUND = { code: 100_000, message: 'Payment not found.' };
const transaction = { known: () => sold.trans_id };
const order = { known: () => sold.order_id };

let plan = '';

const onSchedule =
  (action: string): Row['ask'] =>
  (schedule_id, hash, { key, password } = merchant) => {
    const signed = signCommand('schedule', { schedule_id }, password);
    return command({ action, client_key: key, schedule_id, hash: hash ?? signed });
  };

const schedule = { known: () => plan, code: 100_000, message: 'Schedule not found' };

/** The rows whose hash covers what was sent alone. */
const SIGNED_BY_FIELDS: readonly (readonly [string, Row])[] = [
  [
    'Checkout GET_TRANS_STATUS by payment_id',
    { ...transaction, ask: hosted('payment_id'), code: '101000', message: 'Payment does not exist.' },
  ],
  [
    'Checkout GET_TRANS_STATUS by order_id',
    { ...order, ask: hosted('order_id'), code: '101000', message: 'Order does not exist.' },
  ],
  ['S2S CARD UPDATE_SCHEDULE', { ...schedule, ask: onSchedule('UPDATE_SCHEDULE') }],
  ['S2S CARD DELETE_SCHEDULE', { ...schedule, ask: onSchedule('DELETE_SCHEDULE') }],
];

/** The rows whose hash covers the e-mail and the card of the stored payment. */
const SIGNED_BY_PAYMENT: readonly (readonly [string, Row])[] = [
  [
    'S2S CARD GET_TRANS_STATUS by trans_id',
    { ...transaction, ask: byTransaction('GET_TRANS_STATUS'), ...DOES_NOT_EXIST },
  ],
  ['S2S CARD GET_TRANS_STATUS_BY_ORDER', { ...order, ask: byOrder, code: 101_000, message: 'Order does not exist.' }],
  ['S2S CARD CAPTURE, unknown trans_id', { ...transaction, ask: byTransaction('CAPTURE'), ...DOES_NOT_EXIST }],
  ['S2S CARD VOID, unknown trans_id', { ...transaction, ask: byTransaction('VOID'), ...NOT_FOUND }],
  ['S2S CARD CREDITVOID, unknown trans_id', { ...transaction, ask: byTransaction('CREDITVOID'), ...NOT_FOUND }],
  [
    'S2S CARD RECURRING_SALE, unknown init pair',
    { ...transaction, ask: byMandate, code: 100_000, message: 'Incorrect transaction' },
  ],
];

/** The answer without what differs in each: the id of the request. */
async function answered(asked: Promise<{ status: number; json: unknown }>) {
  const { status, json } = await asked;
  const { request_id: _id, ...body } = Object(json);
  return { status, body };
}

describe('a row of the not-found table (protocol: Errors)', () => {
  test.each([...SIGNED_BY_FIELDS, ...SIGNED_BY_PAYMENT])('%s', async (_row, { ask, known, code, message }) => {
    const unknown = await answered(ask(UNKNOWN));
    expect(unknown).toMatchObject({ status: 400, body: { http_code: 400, error_code: code, error_message: message } });
    expect(await answered(ask(known(), undefined, otherMerchant))).toEqual(unknown);
  });
});

describe('a wrong hash', () => {
  test.each(SIGNED_BY_PAYMENT)('%s: gets the row, whether the id is there or not', async (_row, { ask, known }) => {
    const unknown = await answered(ask(UNKNOWN));
    expect(await answered(ask(known(), FORGED))).toEqual(unknown);
    expect(await answered(ask(UNKNOWN, FORGED))).toEqual(unknown);
  });

  test.each(SIGNED_BY_FIELDS)(
    '%s: is reported as one, whether the id is there or not',
    async (_row, { ask, known }) => {
      const forged = await answered(ask(UNKNOWN, FORGED));
      expect(forged).toMatchObject({ status: 400, body: { errors: [{ error_message: 'hash: Hash is not valid.' }] } });
      expect(await answered(ask(known(), FORGED))).toEqual(forged);
    },
  );
});
