import { readFileSync } from 'node:fs';
import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { account, type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { onTransaction, PAYER_EMAIL, CARD_NUMBER, saleFields } from '../support/card-commands.ts';
import { type CommandReply, type Fields, sendCommand } from '../support/commands.ts';
import { merchant } from '../support/service.ts';

/** A month of which a card is good, and the time after it. */
const BEFORE = Date.parse('2026-11-10T12:00:00Z');
const AFTER = Date.parse('2026-12-05T12:00:00Z');

let at = BEFORE;
let service: AcquirerService;

beforeAll(async () => {
  const methods = [{ key: 'card', mid: ['cards', 'mastercards'] }];
  service = await acquirerService(
    { methods },
    (settings) => [
      account('cards', settings, { channels: ['all'], currencies: ['USD'] }),
      account('mastercards', settings, { channels: ['mc'], cardBrands: ['mastercard'], currencies: ['USD'] }),
    ],
    { clock: () => at },
  );
});

afterAll(() => service.stop());

beforeEach(() => {
  // Out of the window in which an order number is not taken twice.
  at += 20_000;
  service.state.answer = () => undefined;
});

const UNKNOWN = '00000000-1111-4222-8333-444444444444';

const send = (fields: Fields) => sendCommand(service.url, fields);
const on = (action: string, trans_id: string, more: Fields = {}) => send(onTransaction(action, trans_id, more));

/** The id of a sale of 10.00 that has gone as far as it goes without its payer. */
async function sold(change: Fields = {}): Promise<string> {
  const { json } = await send(saleFields({ order_amount: '10.00', ...change }));
  return String(json['trans_id']);
}

const held = () => sold({ auth: 'Y' });
const byCard = signCommand('card', { payer_email: PAYER_EMAIL, card: cardDigits(CARD_NUMBER) }, merchant.password);
const NO_CARD: Fields = { card_number: '', card_exp_month: '', card_exp_year: '', card_cvv2: '' };
const byToken = (card_token: string) => saleFields({ ...NO_CARD, card_token });

/** A command that is refused, by the code and the text of its refusal. */
const LIVE: Readonly<Record<string, () => Promise<CommandReply>>> = {
  '100000 Request data is invalid.': () => send(saleFields({ order_description: '' })),
  '100000 Payment not found.': () => on('VOID', UNKNOWN),
  '100000 Incorrect transaction': () =>
    send({
      action: 'RECURRING_SALE',
      client_key: merchant.key,
      order_id: 'later-1',
      order_amount: '3.00',
      order_description: 'Later',
      recurring_first_trans_id: UNKNOWN,
      recurring_token: UNKNOWN,
      hash: byCard,
    }),
  '100000 Void is not allowed.': async () => on('VOID', await held()),
  async '100000 Previous payment not completed.'() {
    const trans_id = await held();
    service.state.answer = ({ url }) => (url.includes('capture') ? 'lost' : undefined);
    expect((await on('CAPTURE', trans_id)).json).toMatchObject({ result: 'UNDEFINED', status: 'PENDING' });
    return on('CAPTURE', trans_id);
  },
  '101000 Transaction does not exist.': () => on('GET_TRANS_STATUS', UNKNOWN),
  '101000 Order does not exist.'() {
    const covered = { payer_email: PAYER_EMAIL, order_id: 'none', card: cardDigits(CARD_NUMBER) };
    const hash = signCommand('card_order', covered, merchant.password);
    return send({ action: 'GET_TRANS_STATUS_BY_ORDER', client_key: merchant.key, order_id: 'none', hash });
  },
  '204002 Enabled merchant mappings or MIDs not found.': () => send(saleFields({ order_currency: 'EUR' })),
  '204004 Payment method not supported.': () =>
    send(
      saleFields({
        ...NO_CARD,
        digital_wallet: 'applepay',
        payment_token: '{}',
      }),
    ),
  '204005 Payment action not supported.': async () =>
    send({ action: 'RETRY', client_key: merchant.key, trans_id: await sold(), hash: byCard }),
  '204006 Payment system/brand not supported.': () => send(saleFields({ channel_id: 'mc' })),
  '205005 Card token is invalid or not found.': () => send(byToken('a'.repeat(64))),
  async '205006 Card token is expired.'() {
    const { json } = await send(saleFields({ req_token: 'Y', card_exp_month: '11', card_exp_year: '2026' }));
    at = AFTER;
    return send(byToken(String(json['card_token'])));
  },
  '208003 Not acceptable to request the capture for payment not in pending status.': async () =>
    on('CAPTURE', await sold()),
  '208004 Not acceptable to request the capture for amount bigger than auth amount.': async () =>
    on('CAPTURE', await held(), { amount: '10.01' }),
  '208005 Not acceptable to request the refund for payment not in settled or pending status.': async () =>
    on('CREDITVOID', await sold({ card_exp_month: '05' })),
  '208006 Not acceptable to request the refund for amount bigger than payment amount.': async () =>
    on('CREDITVOID', await sold(), { amount: '10.01' }),
  '208008 Not acceptable to request the reversal for amount bigger than payment amount.': async () =>
    on('CREDITVOID', await held(), { amount: '10.01' }),
  '208009 Not acceptable to request the reversal for partial amount.': async () =>
    on('CREDITVOID', await held(), { amount: '9.99' }),
  async '400 Duplicate request.'() {
    const fields = saleFields();
    await send(fields);
    return send(fields);
  },
};

describe('a row of the error table (reference: Errors of S2S CARD)', () => {
  test.each(Object.entries(LIVE))('%s', async (row, refused) => {
    const { status, json } = await refused();
    expect([status, json['result']]).toEqual([400, 'ERROR']);
    expect(`${String(json['error_code'])} ${String(json['error_message'])}`).toBe(row);
  });
});

/** The rows of a page's table whose first column is a code. */
const documented = (tableHead: string): readonly (readonly [row: string, says: string])[] => {
  const page = readFileSync(new URL('../../../../docs/server-to-server.md', import.meta.url), 'utf8');
  const table = page.split(tableHead)[1]?.split('\n\n')[0] ?? '';
  return [...table.matchAll(/^\| (\d+) \| (.+?) \| (.*?) ?\|$/gm)].map(([, code, text, says = '']) => [
    `${code} ${text}`,
    says,
  ]);
};

/** Every code of the reference's list, with 100000 and 101000 of the protocol. */
const CODES = [
  400,
  100_000,
  101_000,
  ...Array.from({ length: 14 }, (_each, index) => 204_002 + index),
  205_005,
  205_006,
  205_007,
  208_001,
  208_002,
  208_003,
  208_004,
  208_005,
  208_006,
  208_008,
  208_009,
  208_010,
];

describe('the page on commands', () => {
  const given = documented('| `error_code` | `error_message` | when |');
  const notGiven = documented('| `error_code` | `error_message` | why not |');

  test('lists the refusals that are given, which are those above', () => {
    expect(given.map(([row]) => row).toSorted()).toEqual(Object.keys(LIVE).toSorted());
  });

  test('says of every other code of the reference why it is not given', () => {
    const codes = new Set([...given, ...notGiven].map(([row]) => Number(row.split(' ')[0])));
    expect([...codes].toSorted()).toEqual(CODES.toSorted());
    for (const [row, why] of notGiven) expect(why, row).toMatch(/\w.*\.$/);
  });
});
