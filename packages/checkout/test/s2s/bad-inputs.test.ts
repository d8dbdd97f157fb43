import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { anyMethodService } from '../support/any-method-service.ts';
import { apmSaleFields, onApmTransaction } from '../support/apm-commands.ts';
import { CARD_NUMBER, onTransaction, PAYER_EMAIL, saleFields, transactionHash } from '../support/card-commands.ts';
import { type Fields, payoutFields, sendCommand } from '../support/commands.ts';
import { merchant, trial } from '../support/service.ts';

let cards: AcquirerService;
let apm: Awaited<ReturnType<typeof anyMethodService>>;

beforeAll(async () => {
  [cards, apm] = await Promise.all([acquirerService(), anyMethodService([{ key: 'redirect', mid: 'any' }])]);
});

afterAll(() => Promise.all([cards.stop(), apm.stop()]));

/** @param to the address, and whose service it is */
const send = (fields: Fields | URLSearchParams, { url, path }: { readonly url: string; readonly path: string }) =>
  sendCommand(url, fields, {}, path);
const toCards = (path = '/post') => ({ url: cards.url, path });
const toApm = (path = '/post-va') => ({ url: apm.url, path });
const asked = () => cards.asked.length + apm.provider.asked.length + apm.provider.acts.sent.length;

/** A command that is carried out as it stands. */
interface Good {
  readonly fields: Fields;
  readonly to: { readonly url: string; readonly path: string };
  /** Fields that it may lack. */
  readonly optional?: readonly string[];
}

const OF_PAYER = ['payer_state', 'payer_phone', 'payer_middle_name', 'payer_address2'];
/** Of DEBIT only their address on the internet is required (reference: DEBIT). */
const OF_DEBIT = [
  ...OF_PAYER,
  'payer_first_name',
  'payer_last_name',
  'payer_address',
  'payer_country',
  'payer_city',
  'payer_zip',
];
const MORE_OF_PAYER = { payer_middle_name: 'Q', payer_address2: 'Flat 2' };
const byCard = signCommand('card', { payer_email: PAYER_EMAIL, card: cardDigits(CARD_NUMBER) }, merchant.password);

async function sold(change: Fields = {}): Promise<string> {
  const { json } = await send(saleFields({ order_amount: '10.00', ...change }), toCards());
  return String(json['trans_id']);
}

async function soldByApm(change: Fields = {}): Promise<string> {
  const { json } = await send(apmFields(change), toApm());
  return String(json['trans_id']);
}

const apmFields = (change: Fields = {}) => apmSaleFields({ brand: 'redirect', order_currency: 'USD', ...change });

function debitFields(action: string): Fields {
  const { return_url: way = '', ...fields } = apmFields({ action, payer_address: 'Rua A 1' });
  return { ...fields, payer_return_url: way };
}

let orders = 0;

/** A later charge, on a mandate of its own. */
async function later(action: 'RECURRING_SALE' | 'RECURRING_DEBIT'): Promise<Fields> {
  const first = action === 'RECURRING_SALE' ? 'SALE' : 'DEBIT';
  const { json } = await send(saleFields({ action: first, recurring_init: 'Y' }), toCards());
  orders += 1;
  return {
    action,
    client_key: merchant.key,
    order_id: `later-${process.pid}-${orders}`,
    order_amount: '3.00',
    order_description: 'Later',
    recurring_first_trans_id: String(json['trans_id']),
    recurring_token: String(json['recurring_token']),
    hash: byCard,
  };
}

/** A later charge that was softly declined, to be tried again. */
async function declinedLater(): Promise<Fields> {
  const fields = await later('RECURRING_SALE');
  cards.state.answer = ({ url }) =>
    url.endsWith('/charges')
      ? {
          status: 402,
          body: { id: `declined-${orders}`, status: 'DECLINED', amount: 300, currency: 'USD', response_code: '51' },
        }
      : undefined;
  const { json } = await send(fields, toCards());
  cards.state.answer = () => undefined;
  return { action: 'RETRY', client_key: merchant.key, trans_id: String(json['trans_id']), hash: byCard };
}

function paidOut(): Fields {
  orders += 1;
  return {
    action: 'CREDIT2CARD',
    client_key: merchant.key,
    order_id: `out-${process.pid}-${orders}`,
    order_amount: '3.00',
    order_currency: 'USD',
    order_description: 'Payout',
    card_number: CARD_NUMBER,
    ...MORE_OF_PAYER,
    payee_first_name: 'Jane',
    payee_last_name: 'Roe',
    hash: signCommand('card', { payer_email: '', card: cardDigits(CARD_NUMBER) }, merchant.password),
  };
}

function transferred(): Fields {
  const { card_number: _number, payee_first_name: _first, payee_last_name: _last, ...fields } = paidOut();
  return {
    ...fields,
    action: 'CARD2CARD',
    payer_card_number: CARD_NUMBER,
    payer_card_exp_month: '01',
    payer_card_exp_year: '2038',
    payer_card_cvv2: '123',
    payer_ip: '192.0.2.1',
    payee_card_number: '4601541833776519',
    term_url_3ds: 'https://shop.example/back',
  };
}

async function byOrder(): Promise<Fields> {
  const { order_id = '', ...sale } = saleFields();
  await send({ ...sale, order_id }, toCards());
  const covered = { payer_email: PAYER_EMAIL, order_id, card: cardDigits(CARD_NUMBER) };
  const hash = signCommand('card_order', covered, merchant.password);
  return { action: 'GET_TRANS_STATUS_BY_ORDER', client_key: merchant.key, order_id, hash };
}

/** Every command, by where it is sent and what it is. */
const COMMANDS: Readonly<Record<string, () => Promise<Good>>> = {
  '/post SALE': async () => ({ to: toCards(), fields: saleFields(MORE_OF_PAYER), optional: OF_PAYER }),
  '/v2/post DEBIT': async () => ({
    to: toCards('/v2/post'),
    fields: saleFields({ ...MORE_OF_PAYER, action: 'DEBIT' }),
    optional: OF_DEBIT,
  }),
  '/post RECURRING_SALE': async () => ({ to: toCards(), fields: await later('RECURRING_SALE') }),
  '/post RECURRING_DEBIT': async () => ({ to: toCards(), fields: await later('RECURRING_DEBIT') }),
  '/post RETRY': async () => ({ to: toCards(), fields: await declinedLater() }),
  '/post CREDIT2CARD': async () => ({
    to: toCards(),
    fields: paidOut(),
    optional: [...OF_PAYER, 'payee_first_name', 'payee_last_name'],
  }),
  '/post CARD2CARD': async () => ({ to: toCards(), fields: transferred(), optional: OF_PAYER }),
  '/post CAPTURE': async () => ({
    to: toCards(),
    fields: onTransaction('CAPTURE', await sold({ auth: 'Y' }), { amount: '4.00' }),
    optional: ['amount'],
  }),
  '/post CREDITVOID': async () => ({
    to: toCards(),
    fields: onTransaction('CREDITVOID', await sold(), { amount: '4.00' }),
    optional: ['amount'],
  }),
  '/post VOID': async () => ({ to: toCards(), fields: onTransaction('VOID', await sold()) }),
  '/post GET_TRANS_STATUS': async () => ({ to: toCards(), fields: onTransaction('GET_TRANS_STATUS', await sold()) }),
  '/post GET_TRANS_DETAILS': async () => ({ to: toCards(), fields: onTransaction('GET_TRANS_DETAILS', await sold()) }),
  '/post GET_TRANS_STATUS_BY_ORDER': async () => ({ to: toCards(), fields: await byOrder() }),
  '/post-va SALE': async () => ({
    to: toApm(),
    fields: apmFields(MORE_OF_PAYER),
    optional: ['identifier', ...OF_PAYER],
  }),
  '/post-va DEBIT2VIRTUAL': async () => ({
    to: toApm(),
    fields: { ...debitFields('DEBIT2VIRTUAL'), ...MORE_OF_PAYER },
    optional: ['payer_address', ...OF_PAYER],
  }),
  '/post DEBIT2VIRTUAL_CALC': async () => ({ to: toApm('/post'), fields: debitFields('DEBIT2VIRTUAL_CALC') }),
  '/post-va DEBIT2VIRTUAL_COMPLETE': async () => {
    const { json } = await send(debitFields('DEBIT2VIRTUAL_CALC'), toApm());
    return { to: toApm(), fields: onApmTransaction('DEBIT2VIRTUAL_COMPLETE', String(json['trans_id'])) };
  },
  '/post CREDIT2VIRTUAL': async () => {
    const { 'parameters[key]': _key, ...fields } = payoutFields({ brand: 'redirect', order_currency: 'USD' });
    return { to: toApm('/post'), fields };
  },
  '/post-va CREDIT2CRYPTO': async () => {
    const change = { action: 'CREDIT2CRYPTO', brand: 'redirect', order_currency: 'USD', order_description: 'Coins' };
    const { 'parameters[key]': _key, ...fields } = payoutFields(change);
    return { to: toApm(), fields };
  },
  '/post-va CAPTURE': async () => ({
    to: toApm(),
    fields: onApmTransaction('CAPTURE', await soldByApm({ auth: 'Y' })),
  }),
  '/post-va CREDITVOID': async () => ({ to: toApm(), fields: onApmTransaction('CREDITVOID', await soldByApm()) }),
  '/post-va VOID': async () => ({ to: toApm(), fields: onApmTransaction('VOID', await soldByApm()) }),
  '/post-va GET_TRANS_STATUS': async () => ({
    to: toApm(),
    fields: onApmTransaction('GET_TRANS_STATUS', await soldByApm()),
  }),
};

const without = (fields: Fields, name: string): URLSearchParams => {
  const body = new URLSearchParams(fields);
  body.delete(name);
  return body;
};
const withField = (fields: Fields, name: string, as: string, value: string): URLSearchParams => {
  const body = without(fields, name);
  body.append(as, value);
  return body;
};

/** Faults of one field, and the bodies that have them. */
const FAULTS: Readonly<Record<string, (fields: Fields, name: string) => URLSearchParams>> = {
  missing: without,
  blank: (fields, name) => withField(fields, name, name, ''),
  doubled: (fields, name) => {
    const body = new URLSearchParams(fields);
    body.append(name, fields[name] ?? '');
    return body;
  },
  'an array': (fields, name) => withField(fields, name, `${name}[]`, fields[name] ?? ''),
  'an object': (fields, name) => withField(fields, name, `${name}[a]`, fields[name] ?? ''),
  'too long': (fields, name) => withField(fields, name, name, (fields[name] ?? '').padEnd(5000, '1')),
};
/** What a field that is not required may be. */
const ALLOWED: ReadonlySet<string> = new Set(['missing', 'blank']);

describe.each(Object.entries(COMMANDS))('%s', (_command, make) => {
  test('with any one field missing, blank, doubled, an array, an object or too long is refused, and no provider asked', async () => {
    const { fields, to, optional = [] } = await make();
    const before = asked();
    const taken: string[] = [];
    for (const [fault, change] of Object.entries(FAULTS))
      for (const name of Object.keys(fields)) {
        if (ALLOWED.has(fault) && optional.includes(name)) continue;
        const { status, json } = await send(change(fields, name), to);
        if (status !== 400 || json['result'] !== 'ERROR')
          taken.push(`${name} ${fault}: ${status} ${JSON.stringify(json)}`);
      }
    expect(taken).toEqual([]);
    expect(asked()).toBe(before);
    // None of them has used the command up.
    expect((await send(fields, to)).status).toBe(200);
  });

  test('with a wrong hash, of another merchant or with the test key is refused, and no provider asked', async () => {
    const { fields, to } = await make();
    const before = asked();
    const others = [
      { ...fields, hash: 'f'.repeat(32) },
      { ...fields, client_key: otherMerchant.key },
      { ...fields, client_key: trial.key },
    ];
    for (const each of others) expect(await send(each, to)).toMatchObject({ status: 400, json: { result: 'ERROR' } });
    expect(asked()).toBe(before);
  });
});

test.each(['GET_TRANS_STATUS', 'GET_TRANS_DETAILS', 'CAPTURE', 'VOID', 'CREDITVOID'])(
  '%s with the test key, rightly signed, finds no live payment',
  async (action) => {
    const trans_id = await sold();
    const hash = transactionHash(trans_id, trial.password);
    const reply = await send({ action, client_key: trial.key, trans_id, hash }, toCards());
    expect(reply).toMatchObject({ status: 400, json: { result: 'ERROR' } });
  },
);

test('an amount under a name with brackets is refused in JSON too, and gives nothing back', async () => {
  const trans_id = await sold();
  const body = JSON.stringify({ ...onTransaction('CREDITVOID', trans_id), 'amount[]': '4.00' });
  const reply = await fetch(`${cards.url}/post`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect([reply.status, await reply.json()]).toEqual([
    400,
    expect.objectContaining({
      errors: [{ error_code: 100_000, error_message: 'amount[]: This field was not expected.' }],
    }),
  ]);
  expect((await send(onTransaction('GET_TRANS_STATUS', trans_id), toCards())).json['status']).toBe('SETTLED');
});

test('nothing of it was a failure of the service', () => {
  expect([...cards.lines, ...apm.lines].filter((line) => line.includes('request-failed'))).toEqual([]);
});
