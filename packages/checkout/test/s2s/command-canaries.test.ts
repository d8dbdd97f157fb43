import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/index.ts';
import { account, type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { allColumns, type ColumnText } from '../support/all-columns.ts';
import { cardCanary, holds } from '../support/card-canary.ts';
import { expiring, onTransaction, PAYER_EMAIL, saleFields } from '../support/card-commands.ts';
import type { Fields } from '../support/commands.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { merchant } from '../support/service.ts';

const payer = cardCanary();
const payee = cardCanary();
const cavv = randomBytes(20).toString('base64');
const isCard = (text: string): boolean =>
  payer.hasNumber(text) ||
  payee.hasNumber(text) ||
  payer.hasCode(text) ||
  [text, decoded(text)].some((each) => holds(each, cavv));

/** The text with what stands in it as part of a form. */
const decoded = (text: string): string => text.replaceAll(/%[\dA-F]{2}/gi, (sign) => decodeURIComponent(sign));

/** By command, each answer and the fault that it was sent with. */
const answers: { readonly as: string; readonly text: string }[] = [];
const columns: ColumnText[] = [];
let callbacks: readonly string[] = [];
let lines: readonly string[] = [];
let made: DataDir;
let token = '';

const ACQUIRER_ECHO = 'the acquirer says all that it was sent';

beforeAll(async () => {
  made = await newDataDir();
  const service = await acquirerService({}, (settings) => [account('cards', settings, { cardOnFile: true })], {
    place: made.place,
  });
  await carryOutAll(service);
  await refuseAll(service);
  await loseAll(service);
  await service.simulator.idle();
  await service.stop();
  lines = service.lines;
  callbacks = service.shop.received.map(({ body, headers }) => decodeURIComponent(body) + JSON.stringify(headers));
  const { databaseUrl } = made.place;
  const { db, close } = await openDatabase(databaseUrl === undefined ? made.place : { url: databaseUrl });
  columns.push(...(await allColumns(db)));
  await close();
});

afterAll(() => made.remove());

interface Sent {
  readonly url: string;
  readonly as: string;
  readonly body: BodyInit;
  readonly headers?: Fields;
}

async function send({ url, as, body, headers = {} }: Sent) {
  const reply = await fetch(`${url}/post`, { method: 'POST', body, headers });
  const text = await reply.text();
  answers.push({ as, text: `${reply.status} ${JSON.stringify([...reply.headers])} ${text}` });
  const json: unknown = JSON.parse(text);
  const fields: Readonly<Record<string, unknown>> = Object(json);
  return fields;
}

const form = (fields: Fields) => new URLSearchParams(fields);

/** With the result of 3-D Secure at the merchant's own MPI. */
const card: Fields = { card_number: payer.number, card_cvv2: payer.code, cavv, eci: '05' };
const sale = (change: Fields = {}): Fields => saleFields({ ...card, ...change });

let orders = 0;

/** The order of a command without the fields of a sale. */
function order(action: string, digits: string): Fields {
  orders += 1;
  return {
    action,
    client_key: merchant.key,
    order_id: `canary-${process.pid}-${orders}`,
    order_amount: '3.00',
    order_currency: 'USD',
    order_description: 'Product',
    hash: signCommand('card', { payer_email: '', card: cardDigits(digits) }, merchant.password),
  };
}

const transfer = (change: Fields = {}): Fields => ({
  ...order('CARD2CARD', payer.number),
  payer_card_number: payer.number,
  payer_card_exp_month: '01',
  payer_card_exp_year: '2038',
  payer_card_cvv2: payer.code,
  payee_card_number: payee.number,
  payer_ip: '192.0.2.1',
  term_url_3ds: 'https://shop.example/back',
  ...change,
});

const payout = (change: Fields = {}): Fields => ({
  ...order('CREDIT2CARD', payee.number),
  card_number: payee.number,
  ...change,
});

/** The commands that carry a card. */
const WITH_CARD: Readonly<Record<string, (change?: Fields) => Fields>> = {
  SALE: sale,
  DEBIT: (change = {}) => sale({ action: 'DEBIT', ...change }),
  CARD2CARD: transfer,
  CREDIT2CARD: payout,
};

/** Every command, and those on transactions of the card. */
async function carryOutAll({ url, shop }: AcquirerService) {
  const paid = await send({ url, as: 'SALE', body: form(sale({ req_token: 'Y', recurring_init: 'Y' })) });
  token = String(paid['card_token']);
  const trans_id = String(paid['trans_id']);
  const recurring_token = String(paid['recurring_token']);
  const covered = { payer_email: PAYER_EMAIL, card: cardDigits(payer.number) };
  const hash = signCommand('card', covered, merchant.password);
  const later = { ...order('RECURRING_SALE', ''), recurring_first_trans_id: trans_id, recurring_token, hash };
  await send({ url, as: 'RECURRING_SALE', body: form(later) });
  const onIt = (action: string, id = trans_id): Fields => ({
    ...onTransaction(action, id),
    hash: signCommand('card_transaction', { ...covered, trans_id: id }, merchant.password),
  });
  for (const action of ['GET_TRANS_STATUS', 'GET_TRANS_DETAILS', 'CREDITVOID', 'VOID', 'CAPTURE', 'RETRY'])
    await send({ url, as: action, body: form(onIt(action)) });
  for (const expiry of ['02/2038', '05/2038', '12/2038'])
    await send({ url, as: `SALE ${expiry}`, body: form(sale(expiring(expiry))) });
  const held = await send({ url, as: 'SALE auth', body: form(sale({ auth: 'Y' })) });
  await send({ url, as: 'CAPTURE', body: form(onIt('CAPTURE', String(held['trans_id']))) });
  for (const [action, fields] of Object.entries(WITH_CARD)) {
    const headers = { 'idempotency-key': `key-${action}` };
    const body = fields();
    await send({ url, as: action, body: form(body), headers });
    await send({ url, as: `${action} again`, body: form(body), headers });
    // The key with another card: the two are compared.
    await send({ url, as: `${action} other`, body: form({ ...body, card_exp_month: '02' }), headers });
  }
  const { fields } = await shop.until((each) => each.fields['card_token'] === token);
  expect(fields['card']).toMatch(/\*/);
}

/** Each command that carries a card, with every fault that a request can have. */
async function refuseAll({ url }: AcquirerService) {
  const parts = ['card_number', 'payer_card_number', 'payee_card_number', 'card_cvv2', 'payer_card_cvv2', 'cavv'];
  for (const [action, fields] of Object.entries(WITH_CARD)) {
    const own = parts.filter((name) => fields()[name] !== undefined);
    for (const name of own) {
      const value = fields()[name] ?? '';
      const { [name]: _taken, ...rest } = fields();
      const twice = form(fields());
      twice.append(name, value);
      await send({ url, as: `${action} with ${name} twice`, body: twice });
      await send({ url, as: `${action} with ${name} as a list`, body: form({ ...rest, [`${name}[]`]: value }) });
      await send({ url, as: `${action} with ${name} nested`, body: form({ ...rest, [`${name}[a]`]: value }) });
      await send({ url, as: `${action} with ${name} too long`, body: form({ ...rest, [name]: value.repeat(99) }) });
      await send({ url, as: `${action} with ${name} and more`, body: form({ ...rest, [name]: `${value}x` }) });
    }
    const faults: readonly Fields[] = [
      { order_amount: 'x' },
      { order_currency: 'XXX' },
      { order_id: '' },
      { hash: 'f'.repeat(32) },
      { client_key: 'none' },
      { card_exp_month: '13' },
      { callback_url: 'http://10.0.0.1/c' },
      { channel_id: 'none' },
      { action: 'PAY' },
    ];
    for (const fault of faults)
      await send({ url, as: `${action} with ${JSON.stringify(fault)}`, body: form({ ...fields(), ...fault }) });
    const json = { 'content-type': 'application/json' };
    const text = JSON.stringify(fields());
    await send({ url, as: `${action} as JSON that breaks off`, body: text.slice(0, -1), headers: json });
    await send({ url, as: `${action} as text`, body: text, headers: { 'content-type': 'text/plain' } });
    await send({ url, as: `${action} that is too large`, body: text + ' '.repeat(300_000), headers: json });
    const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
    const part = `--b\r\ncontent-disposition: form-data; name="card_number"\r\n\r\n${payer.number}\r\n`;
    await send({ url, as: `${action} in parts that break off`, body: part, headers: multipart });
  }
}

/** The acquirer says in its failure all that it was sent, and then nothing at all. */
async function loseAll(service: AcquirerService) {
  const { url, state } = service;
  for (const [action, fields] of Object.entries(WITH_CARD)) {
    state.answer = ({ body }) => ({ status: 500, body: { message: ACQUIRER_ECHO, echo: body } });
    await send({ url, as: `${action} at an acquirer that fails`, body: form(fields()) });
    state.answer = ({ body }) => ({ status: 402, body: { id: 'pay_x', status: 'DECLINED', message: body } });
    await send({ url, as: `${action} at an acquirer that repeats it`, body: form(fields()) });
    state.answer = () => 'lost';
    await send({ url, as: `${action} at an acquirer that is silent`, body: form(fields()) });
  }
  state.answer = () => undefined;
  await loseLater(service);
}

/** The commands without a card of their own, of payments by one, at an acquirer that says its number and its code all the same. */
async function loseLater({ url, state }: AcquirerService) {
  const said = { id: 'pay_x', status: 'DECLINED', message: `Card ${payer.number}, code ${payer.code}` };
  const faults = {
    'that fails': () => ({ status: 500, body: said }),
    'that says the card': () => ({ status: 402, body: said }),
    'that is silent': () => 'lost' as const,
  } as const;
  const covered = { payer_email: PAYER_EMAIL, card: cardDigits(payer.number) };
  for (const [fault, answer] of Object.entries(faults))
    for (const action of ['RECURRING_SALE', 'CAPTURE', 'CREDITVOID', 'VOID', 'GET_TRANS_STATUS'] as const) {
      state.answer = () => undefined;
      const change: Fields = action === 'CAPTURE' ? { auth: 'Y' } : { recurring_init: 'Y' };
      const first = await send({ url, as: `a SALE before ${action}`, body: form(sale(change)) });
      const trans_id = String(first['trans_id']);
      const later: Fields = {
        ...order(action, ''),
        recurring_first_trans_id: trans_id,
        recurring_token: String(first['recurring_token']),
        hash: signCommand('card', covered, merchant.password),
      };
      const hash = signCommand('card_transaction', { ...covered, trans_id }, merchant.password);
      state.answer = answer;
      const body = form(action === 'RECURRING_SALE' ? later : { ...onTransaction(action, trans_id), hash });
      await send({ url, as: `${action} at an acquirer ${fault}`, body });
    }
  state.answer = () => undefined;
}

test('every command with a card is answered without its number and code, whatever is wrong with it', () => {
  expect(answers.length).toBeGreaterThan(100);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  for (const { as, text } of answers) expect([as, isCard(text)]).toEqual([as, false]);
});

test('some of them were paid, and some were refused', () => {
  for (const action of Object.keys(WITH_CARD)) {
    const own = answers.filter(({ as }) => as === action || as === `${action} again`);
    for (const { as, text } of own) expect([as, text]).toEqual([as, expect.stringContaining('"result":"SUCCESS"')]);
  }
  expect(answers.filter(({ text }) => text.startsWith('400 ')).length).toBeGreaterThan(50);
  expect(answers.filter(({ text }) => text.startsWith('5')).map(({ as }) => as)).toEqual([]);
});

test('no line of the log has a number, a code or a token', () => {
  expect(lines.join('')).toContain('provider-call');
  for (const line of lines) expect([isCard(line), holds(line, token)], line).toEqual([false, false]);
});

test('no callback has a number or a code', () => {
  expect(callbacks.length).toBeGreaterThan(5);
  for (const callback of callbacks) expect(isCard(callback), callback).toBe(false);
});

test('no column has a number, a code, a token, or a digest of one', () => {
  expect(columns.map(({ place }) => place)).toContain('idempotency_keys.request_hash');
  const found = columns.filter(({ text }) => isCard(text) || holds(text, token)).map(({ place }) => place);
  expect([...new Set(found)]).toEqual([]);
});

test('no file of the data directory has a number or a token', () => {
  const files = readdirSync(made.path, { recursive: true, encoding: 'utf8' }).map((name) => join(made.path, name));
  for (const file of files.filter((each) => statSync(each).isFile())) {
    const text = readFileSync(file, 'latin1');
    const found = [payer.hasNumber(text), payee.hasNumber(text), holds(text, token), holds(text, cavv)];
    expect(found, file).toEqual([false, false, false, false]);
  }
});
