import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signCallbackFields, signCommand } from '@railyard/core/protocol';
import { afterAll, expect, test } from 'vitest';
import { FORMULAS } from '../src/signatures/formula.ts';
import { formulasOf, HASH_KINDS } from '../src/signatures/kinds.ts';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';

const folder = mkdtempSync(join(tmpdir(), 'railyard-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string): string {
  const path = join(folder, 'message');
  writeFileSync(path, content);
  return path;
}

const password = 'Pa55-word-of-tests';
const env = { RAILYARD_PASSWORD: password };
const payout = { order_id: 'p-1', order_amount: '10.50', order_currency: 'KES' };
const form = (fields: Readonly<Record<string, string>>) =>
  new URLSearchParams({ action: 'CREDIT2VIRTUAL', client_key: 'k', brand: 'mpesa', ...fields }).toString();
const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  ['payout', payout, 'payout', 'SEK05.011-P'],
  ['transaction', { trans_id: 'dc66-a' }, 'transaction', 'A-66CD'],
  [
    'payout-callback',
    { trans_id: 'dc66', order_id: 'p-1', status: 'SETTLED', amount: '10.50' },
    'payout_callback',
    'DELTTES1-P66CD',
  ],
])('a %s is signed and verified, with either digest', async (kind, fields, formula, covered) => {
  for (const name of ['md5', 'sha256']) {
    const { said } = await runInPipe(['sign', kind, file(form(fields)), '--digest', name], { env });
    expect(said).toBe(`${digest(name, covered + password)}\n`);
    const checked = await jsonInPipe(['verify', kind, file(form({ ...fields, hash: said.trim() }))], { env });
    expect(checked).toMatchObject({ code: 0, answer: { ok: true, formula, digest: name, hashed: `${covered}•••` } });
  }
});

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  ['collection', { identifier: 'ab', ...payout }, 'collection', 'SEK05.011-PBA'],
  ['credit-void', { trans_id: 'dc66' }, 'credit_void', '66CD'],
  ['schedule', { schedule_id: 'dc66' }, 'schedule', '66CD'],
  ['card', { payer_email: 'd@x.io', card_number: '4111111111111111' }, 'card', 'OI.X@D…1111111114'],
  ['card', { card_number: '4111111111111111' }, 'card', '…1111111114'],
  [
    'card-transaction',
    { payer_email: 'd@x.io', trans_id: 'dc66', card: '411111******1111' },
    'card_transaction',
    'OI.X@D…DC661111111114',
  ],
  [
    'card-order',
    { payer_email: 'd@x.io', order_id: 'p-1', card_number: '4111111111111111' },
    'card_order',
    'OI.X@D…P-11111111114',
  ],
])('a %s is signed with the password in its place', async (kind, fields, formula, covered) => {
  const secret = password.toUpperCase();
  const text = ['collection', 'credit-void', 'schedule'].includes(kind)
    ? [...secret].toReversed().join('') + covered
    : covered.replace('…', secret);
  const { said } = await runInPipe(['sign', kind, file(form(fields))], { env });
  expect(said).toBe(`${digest('md5', text)}\n`);
  const checked = await jsonInPipe(['verify', kind, file(form({ ...fields, hash: said.trim() }))], { env });
  expect(checked).toMatchObject({ code: 0, answer: { ok: true, formula } });
});

test('letters beyond ASCII are verified in the way of PHP and in that of others', async () => {
  const fields = { ...payout, order_id: 'straße-1' };
  for (const dialect of ['ascii', 'unicode'] as const) {
    const hash = signCommand('payout', fields, password, { dialect });
    expect(await jsonInPipe(['verify', 'payout', file(form({ ...fields, hash }))], { env })).toMatchObject({
      code: 0,
      answer: { ok: true, dialect },
    });
  }
});

test.each([
  ['not-reversed', digest('md5', `P-110.50KES${password}`), 'without turning the text round'],
  ['not-reversed', digest('md5', `1-P05.01SEK${password}`), 'each field turned round by itself'],
  ['case', digest('md5', `SEK05.011-P${password.toUpperCase()}`), 'with the password in upper case too'],
  ['digest', digest('sha1', digest('md5', `SEK05.011-P${password}`)), 'with SHA-1 over the digest'],
  ['other-formula', digest('sha1', digest('md5', `P-110.50KES${password}`.toUpperCase())), 'as requests of the hosted'],
  ['amount-format', digest('md5', `SEK5.011-P${password}`), 'without zeros at its end'],
  ['password-missing', digest('md5', 'SEK05.011-P'), 'without the password'],
  ['stray-text', ` ${digest('md5', `SEK05.011-P${password}`)}`, 'white space'],
])('finds %s behind a hash that does not match', async (mistake, hash, says) => {
  const { code, answer } = await jsonInPipe(['verify', 'payout', file(form({ ...payout, hash }))], { env });
  expect({ code, mistakes: answer.mistakes }).toEqual({ code: 1, mistakes: [mistake] });
  expect(answer.says).toContain(says);
  expect(JSON.stringify(answer)).not.toMatch(/55-word/i);
});

test('where nothing leads to the hash, says what to compare', async () => {
  const { code, said } = await runInPipe(['verify', 'payout', file(form({ ...payout, hash: 'f'.repeat(32) }))], {
    env,
  });
  expect(code).toBe(1);
  expect(said).toContain('should be hashed: SEK05.011-P•••');
  expect(said).toContain('backwards(order_id + order_amount + order_currency) + password');
});

/** The callback of the reference (Signatures of S2S APM, worked set, F). */
const CALLBACK = {
  action: 'SALE',
  amount: '1.99',
  currency: 'USD',
  descriptor: 'test',
  order_id: 'ORDER12345',
  result: 'SUCCESS',
  status: 'SETTLED',
  trans_date: '2022-10-26 11:51:53',
  trans_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
};
const ofReference = { RAILYARD_PASSWORD: 'Demo-Merchant-Pass-01' };

test('a callback of another method is signed over all its fields, as the reference does it', async () => {
  // In another order: names are sorted.
  const sent = Object.fromEntries(Object.entries(CALLBACK).toReversed());
  const body = new URLSearchParams(sent).toString();
  const { said } = await runInPipe(['sign', 'command-callback', file(body)], { env: ofReference });
  expect(said).toBe('d375036f7e28c299c37c2fd30c42577c\n');
  const message = file(JSON.stringify({ ...sent, hash: said.trim() }));
  const checked = await jsonInPipe(['verify', 'command-callback', message], { env: ofReference });
  expect(checked).toMatchObject({
    code: 0,
    answer: {
      ok: true,
      formula: 'callback_fields',
      digest: 'md5',
      hashed: 'ELAS99.1DSUTSET54321REDROSSECCUSDELTTES35:15:11 62-01-22027000F1CA2420-E338-AE11-F409-A66FFAAA•••',
    },
  });
});

test('nested fields of a callback stand in place of their object, sorted, from a form and from JSON', async () => {
  const inPlace = { ...CALLBACK, custom_data: { b: 'two', a: 'one' }, custom_data2: 'x' };
  const hash = signCallbackFields(inPlace, password);
  const { custom_data: _data, ...flat } = inPlace;
  const form = new URLSearchParams({ ...flat, 'custom_data[b]': 'two', 'custom_data[a]': 'one', hash }).toString();
  for (const text of [form, JSON.stringify({ ...inPlace, hash })])
    expect(await jsonInPipe(['verify', 'command-callback', file(text)], { env })).toMatchObject({ code: 0 });
});

const reversed = (text: string) => [...text].toReversed().join('');
const values = Object.entries(CALLBACK).map(([, value]) => value);
const turned = values.map(reversed).join('');

test.each([
  ['not-reversed', (values.join('') + password).toUpperCase()],
  ['not-reversed', (reversed(values.join('')) + password).toUpperCase()],
  ['case', turned.toUpperCase() + password],
  ['password-missing', turned.toUpperCase()],
  ['field-order', (values.toReversed().map(reversed).join('') + password).toUpperCase()],
])('finds %s behind the hash of a callback that does not match', async (mistake, text) => {
  const sent = mistake === 'field-order' ? Object.fromEntries(Object.entries(CALLBACK).toReversed()) : CALLBACK;
  const message = file(JSON.stringify({ ...sent, hash: digest('md5', text) }));
  const { code, answer } = await jsonInPipe(['verify', 'command-callback', message], { env });
  expect({ code, mistakes: answer.mistakes }).toEqual({ code: 1, mistakes: [mistake] });
});

test('there is a kind of message for every formula', () => {
  const kinds = new Set(HASH_KINDS.flatMap((kind) => formulasOf(kind)));
  expect(FORMULAS.filter((formula) => !kinds.has(formula))).toEqual([]);
});
