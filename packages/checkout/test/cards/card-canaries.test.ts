import { createHash, randomInt } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSealer, encryptionKeys, isSealed, SEALED_COLUMNS } from '../../src/secrets/index.ts';
import { type Db, openDatabase } from '../../src/storage/index.ts';
import { allColumns } from '../support/all-columns.ts';
import { CASCADING } from '../support/card-config.ts';
import { cardBody, cardService, payByCard } from '../support/card-service.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { createPage } from '../support/service.ts';

/** A number that no other card has, with its check digit. */
function uniqueNumber(): string {
  const digits = `37${String(randomInt(10 ** 12)).padStart(12, '0')}`;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const twice = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const number = uniqueNumber();
/** Four digits with a zero before them, which stand as a word of their own hardly anywhere. */
const code = `0${randomInt(100, 999)}`;
const card = { 'card.number': number, 'card.expiry': '01/38', 'card.cvv': code, 'card.name': 'Canaria Amarela' };

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');

/** A number in every way in which it may be written by mistake. */
const forms = (text: string) => [
  text,
  `${text.slice(0, 4)} ${text.slice(4, 10)} ${text.slice(10)}`,
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').slice(0, 18),
  digest('sha256', text),
  digest('sha1', text),
  digest('md5', text),
];

const hasNumber = (text: string) => forms(number).some((form) => text.includes(form));
const hasCode = (text: string) => new RegExp(`(?<![\\w.:+/=-])${code}(?![\\w:+/=-]|\\.\\d)`).test(text);
const hasToken = (text: string) => token !== '' && text.includes(token);

const lines: string[] = [];
const pages: string[] = [];
const callbacks: string[] = [];
const columns: { readonly place: string; readonly text: string }[] = [];
const opened: { readonly place: string; readonly text: string }[] = [];
let token = '';
let made: DataDir;

beforeAll(async () => {
  made = await newDataDir();
  const service = await cardService({ place: made.place }, CASCADING);
  service.provider.state.says = ({ card: { number, cvv } }) => `The card ${number} with the code ${cvv} is refused.`;
  const pay = async (change: object, order: string, fields: Readonly<Record<string, string>>) => {
    const page = await createPage(service.url, cardBody({ ...change }, { number: order }));
    pages.push(await (await fetch(page)).text(), (await payByCard(page, { ...fields, 'card.name': 'Cher' })).text);
    pages.push((await payByCard(page, fields)).text, await (await fetch(page)).text());
    return service.shop.until(({ fields: told }) => told.order_number === order);
  };
  token = (await pay({ req_token: true }, 'canary-1', card)).fields.card_token ?? '';
  await pay({ operation: 'debit', card_token: [token] }, 'canary-2', { 'card.saved': '0', 'card.cvv': code });
  await pay({}, 'canary-3', { ...card, 'card.expiry': '02/38' });
  await pay({}, 'canary-4', { ...card, 'card.expiry': '05/38' });
  // The third was asked of two accounts, with the code.
  expect(service.provider.asked.map(({ card: { cvv } }) => cvv)).toEqual([code, code, code, code, code]);
  await service.stop();
  lines.push(...service.lines);
  callbacks.push(
    ...service.shop.received.map(({ body, headers }) => `${decodeURIComponent(body)} ${JSON.stringify(headers)}`),
  );
  const { databaseUrl } = made.place;
  const { db, close } = await openDatabase(databaseUrl === undefined ? made.place : { url: databaseUrl });
  columns.push(...(await allColumns(db)));
  opened.push(...(await allSealed(db)));
  await close();
}, 60_000);

afterAll(() => made.remove());

/** Everything that is sealed, opened. */
async function allSealed(db: Db) {
  const { dataDir, encryptionKey } = made.place;
  const sealer = createSealer(encryptionKeys(encryptionKey === undefined ? [] : [encryptionKey], { dataDir }));
  const found = [];
  for (const { table, column, key, place, form } of SEALED_COLUMNS) {
    if (form === 'bytes' || form === 'object') continue;
    const [first, second] = key.map(({ name }) => name);
    const { rows } = await sql<{ first: string; second: string; text: string | null }>`
      SELECT ${sql.ref(first ?? '')}::text AS first, ${second === undefined ? sql`''` : sql.ref(second)} AS second,
        ${sql.ref(column)} AS text FROM ${sql.table(table)}`.execute(db);
    for (const { first, second, text } of rows) {
      if (text === null) continue;
      const sealed: unknown = form === 'string' ? JSON.parse(text) : text;
      if (typeof sealed === 'string' && isSealed(sealed))
        found.push({ place: `${table}.${column}`, text: sealer.open(sealed, place(first, second)) });
    }
  }
  return found;
}

const placesOf = (all: typeof columns, has: (text: string) => boolean) => [
  ...new Set(all.filter(({ text }) => has(text)).map(({ place }) => place)),
];

describe('number and code of a card', () => {
  test('are in no line of the log', () => {
    expect(lines.join('')).toContain('provider-call');
    for (const line of lines)
      expect([hasNumber(line), hasCode(line), hasToken(line)], line).toEqual([false, false, false]);
  });

  test('are on no page', () => {
    expect(pages.length).toBe(16);
    expect(pages.join('')).toContain('is refused');
    for (const page of pages)
      expect([hasNumber(page), hasCode(page), hasToken(page)], page).toEqual([false, false, false]);
  });

  test('are in no callback', () => {
    expect(callbacks.join('')).toContain(token);
    for (const callback of callbacks)
      expect([hasNumber(callback), hasCode(callback)], callback).toEqual([false, false]);
  });

  test('are plain in no column, nor is the token', () => {
    expect(placesOf(columns, (text) => text.startsWith('v1.'))).toContain('cards.number_text');
    expect(placesOf(columns, hasNumber)).toEqual([]);
    expect(placesOf(columns, hasCode)).toEqual([]);
    expect(placesOf(columns, hasToken)).toEqual([]);
  });

  test('are sealed in the vault alone, and the code not even there', () => {
    expect(placesOf(opened, hasNumber)).toEqual(['cards.number_text']);
    expect(placesOf(opened, hasCode)).toEqual([]);
    expect(placesOf(opened, hasToken).sort()).toEqual([
      'callbacks.body',
      'card_tokens.token_text',
      'sessions.request_text',
    ]);
  });

  test('are in no file of the data directory, its write-ahead log included', () => {
    const files = readdirSync(made.path, { recursive: true, encoding: 'utf8' }).map((name) => join(made.path, name));
    const texts = files
      .filter((file) => statSync(file).isFile())
      .map((file) => [file, readFileSync(file, 'latin1')] as const);
    if (made.place.databaseUrl === undefined) expect(texts.some(([file]) => file.includes('pg_wal'))).toBe(true);
    for (const [file, text] of texts) expect([hasNumber(text), hasToken(text)], file).toEqual([false, false]);
  });

  test('would be seen if they were there', () => {
    expect(hasNumber(`x${number}y`)).toBe(true);
    expect(hasNumber(digest('sha256', number))).toBe(true);
    expect(hasCode(`{"cvv":"${code}"}`)).toBe(true);
    expect(hasCode(`a code of ${code}.`)).toBe(true);
  });
});
