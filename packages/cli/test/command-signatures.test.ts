import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signCommand } from '@railyard/core/protocol';
import { afterAll, expect, test } from 'vitest';
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
  const text = kind === 'collection' ? [...secret].toReversed().join('') + covered : covered.replace('…', secret);
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
