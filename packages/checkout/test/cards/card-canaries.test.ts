import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSealer, encryptionKeys, isSealed, SEALED_COLUMNS } from '../../src/secrets/index.ts';
import { type Db, openDatabase } from '../../src/storage/index.ts';
import { account, acquirerService } from '../support/acquirer-service.ts';
import { allColumns } from '../support/all-columns.ts';
import { cardCanary, holds } from '../support/card-canary.ts';
import { CASCADING } from '../support/card-config.ts';
import { cardBody, cardService, payByCard } from '../support/card-service.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { scheduleCommands } from '../support/schedules.ts';
import { createPage } from '../support/service.ts';

const { number, code, fields: card, hasNumber, hasCode, digest } = cardCanary();
const hasToken = (text: string) => holds(text, token);

const lines: string[] = [];
const pages: string[] = [];
const callbacks: string[] = [];
/** Where browsers were sent. */
const addresses: string[] = [];
const columns: { readonly place: string; readonly text: string }[] = [];
const opened: { readonly place: string; readonly text: string }[] = [];
let token = '';
let made: DataDir;
/** Where temporary files are put while the services run. */
let temporary = '';

beforeAll(async () => {
  made = await newDataDir();
  temporary = join(made.path, 'tmp');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const service = await cardService({ place: made.place }, CASCADING);
  service.provider.state.says = ({ card: { number, cvv } }) => `The card ${number} with the code ${cvv} is refused.`;
  const pay = async (change: object, order: string, fields: Readonly<Record<string, string>>) => {
    const page = await createPage(service.url, cardBody({ ...change }, { number: order }));
    pages.push(await (await fetch(page)).text(), (await payByCard(page, { ...fields, 'card.name': 'Cher 2' })).text);
    const paid = await payByCard(page, fields);
    addresses.push(page, paid.location ?? '');
    pages.push(paid.text, await (await fetch(page)).text());
    return service.shop.until(({ fields: told }) => told.order_number === order);
  };
  token = (await pay({ req_token: true }, 'canary-1', card)).fields.card_token ?? '';
  await pay({ operation: 'debit', card_token: [token] }, 'canary-2', { 'card.saved': '0', 'card.cvv': code });
  await pay({}, 'canary-3', { ...card, 'card.expiry': '02/38' });
  await pay({}, 'canary-4', { ...card, 'card.expiry': '05/38' });
  // The bank sends the payer back with the card, as a value and as a name.
  const back = { cres: `of ${number}`, pan: number, [number]: number };
  await fetch(service.provider.asked.at(-1)?.return_url ?? '', { method: 'POST', body: new URLSearchParams(back) });
  await service.shop.until(({ fields }) => fields.order_number === 'canary-4' && fields.order_status === 'settled');
  // The third was asked of two accounts, with the code.
  expect(service.provider.asked.map(({ card: { cvv } }) => cvv)).toEqual([code, code, code, code, code]);
  addresses.push(...service.provider.asked.map(({ return_url }) => return_url));
  await service.stop();
  await payAtAcquirer();
  expect(tmpdir()).toBe(temporary);
  lines.push(...service.lines);
  callbacks.push(
    ...service.shop.received.map(({ body, headers }) => `${decodeURIComponent(body)} ${JSON.stringify(headers)}`),
  );
  const { databaseUrl } = made.place;
  const { db, close } = await openDatabase(databaseUrl === undefined ? made.place : { url: databaseUrl });
  columns.push(...(await allColumns(db)));
  opened.push(...(await allSealed(db)));
  await close();
});

afterAll(() => {
  vi.unstubAllEnvs();
  return made.remove();
});

/** A payment at a provider that notifies of it, and the charge of a schedule that follows on the same day. */
async function payAtAcquirer() {
  const methods = [{ key: 'card', mid: 'acquirer' }];
  const service = await acquirerService({ methods }, (settings) => [account('acquirer', settings)], {
    place: made.place,
  });
  const schedule_id = await scheduleCommands(service.url).create();
  const today = new Date().toISOString().slice(0, 10);
  const recurring = { recurring_init: true, schedule_id, schedule_start_date: today };
  const body = cardBody(recurring, { number: 'canary-5' });
  const page = await createPage(service.url, body);
  const paid = await payByCard(page, card);
  await service.shop.until(({ fields }) => fields.order_number === 'canary-5' && fields.status === 'success');
  await service.shop.until(
    ({ fields }) => fields.order_number === `canary-5-${today}` && fields.order_status === 'settled',
  );
  await service.simulator.idle();
  addresses.push(page, paid.location ?? '', ...service.asked.map(({ url }) => url));
  pages.push(await (await fetch(page)).text());
  callbacks.push(
    ...service.shop.received.map(({ body, headers }) => `${decodeURIComponent(body)} ${JSON.stringify(headers)}`),
  );
  await service.stop();
  lines.push(...service.lines);
}

/** What is sealed in a value, which is a JSON text, an object with it, or bytes. */
function sealedIn(form: string, text: string): unknown {
  if (form === 'bytes') return Buffer.from(text.replace(/^\\x/, ''), 'hex').toString('utf8');
  if (form === 'text') return text;
  const value: unknown = JSON.parse(text);
  return form === 'object' ? Reflect.get(Object(value), 'sealed') : value;
}

/** Everything that is sealed, opened. */
async function allSealed(db: Db) {
  const { dataDir, encryptionKey } = made.place;
  const sealer = createSealer(encryptionKeys(encryptionKey === undefined ? [] : [encryptionKey], { dataDir }));
  const found = [];
  for (const { table, column, key, place, form } of SEALED_COLUMNS) {
    const [first, second] = key.map(({ name }) => name);
    const { rows } = await sql<{ first: string; second: string; text: string | null }>`
      SELECT ${sql.ref(first ?? '')}::text AS first, ${second === undefined ? sql`''` : sql.ref(second)} AS second,
        ${sql.ref(column)}::text AS text FROM ${sql.table(table)}`.execute(db);
    for (const { first, second, text } of rows) {
      if (text === null) continue;
      const sealed = sealedIn(form, text);
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
    expect(pages.length).toBe(17);
    expect(pages.join('')).toContain('Your card was declined.');
    for (const page of pages)
      expect([hasNumber(page), hasCode(page), hasToken(page)], page).toEqual([false, false, false]);
  });

  test('are in no callback', () => {
    expect(callbacks.join('')).toContain(token);
    for (const callback of callbacks)
      expect([hasNumber(callback), hasCode(callback)], callback).toEqual([false, false]);
  });

  test('are in no address of a page, a redirect or a way back', () => {
    expect(addresses.join(' ')).toContain('/auth/');
    expect(addresses.join(' ')).toContain('/back');
    for (const address of addresses)
      expect([hasNumber(address), hasCode(address), hasToken(address)], address).toEqual([false, false, false]);
  });

  test('are plain in no column, nor is the token', () => {
    expect(placesOf(columns, (text) => text.startsWith('v1.'))).toContain('cards.number_text');
    expect(placesOf(columns, hasNumber)).toEqual([]);
    expect(placesOf(columns, hasCode)).toEqual([]);
    expect(placesOf(columns, hasToken)).toEqual([]);
  });

  test('are sealed in the vault alone, and the code not even there', () => {
    const places = placesOf(opened, () => true);
    expect(places).toEqual(
      expect.arrayContaining([
        'provider_notifications.request_text',
        'provider_notifications.body',
        'journal.reply_text',
      ]),
    );
    expect(placesOf(opened, hasNumber)).toEqual(['cards.number_text']);
    expect(placesOf(opened, hasCode)).toEqual([]);
    expect(placesOf(opened, hasToken).sort()).toEqual([
      'callbacks.body',
      'card_tokens.token_text',
      'sessions.request_text',
    ]);
  });

  test('are in no file of the data directory, its write-ahead log and the temporary files included', () => {
    const files = readdirSync(made.path, { recursive: true, encoding: 'utf8' }).map((name) => join(made.path, name));
    const texts = files
      .filter((file) => statSync(file).isFile())
      .map((file) => [file, readFileSync(file, 'latin1')] as const);
    if (made.place.databaseUrl === undefined) expect(texts.some(([file]) => file.includes('pg_wal'))).toBe(true);
    for (const [file, text] of texts) expect([hasNumber(text), hasToken(text)], file).toEqual([false, false]);
  });

  test.each([
    ['as it is', (text: string) => `x${text}y`],
    ['in hexadecimal digits', (text: string) => Buffer.from(text).toString('hex')],
    ['in Base64', (text: string) => Buffer.from(text).toString('base64')],
    ['in Base64 with something before it', (text: string) => Buffer.from(`{"n":"${text}"}`).toString('base64')],
    [
      'in Base64 for addresses, within a word',
      (text: string) => `a=bc${Buffer.from(`?${text}`).toString('base64url')}`,
    ],
  ])('a number %s would be seen', (_name, written) => {
    expect(hasNumber(written(number))).toBe(true);
    expect(hasNumber(written('378282246310005'))).toBe(false);
  });

  test('digests of the number, the code and the token would be seen', () => {
    for (const algorithm of ['sha256', 'sha1', 'md5']) expect(hasNumber(digest(algorithm))).toBe(true);
    expect(hasCode(`{"cvv":"${code}"}`)).toBe(true);
    expect(hasCode(`a code of ${code}.`)).toBe(true);
    expect(hasCode(Buffer.from(`{"cvv":"${code}"}`).toString('base64'))).toBe(true);
    expect(hasToken(Buffer.from(`{"card_token":"${token}"}`).toString('base64'))).toBe(true);
  });
});
