import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog, startCheckout } from '../../src/index.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { allColumns, type ColumnText } from '../support/all-columns.ts';
import { newDataDir } from '../support/data-dir.ts';
import { initiationProvider } from '../support/initiation-provider.ts';
import { freePort } from '../support/listen.ts';
import { lastOf, openBankingBody, openBankingConfig } from '../support/open-banking-service.ts';
import { receiver } from '../support/receiver.ts';
import { redirectGateway } from '../support/redirect-gateway.ts';
import { createPage, post } from '../support/service.ts';

/** Not among the numbers that documents and other tests name. */
const NUMBER = '5200828282828210';
const withNumber = (identification = NUMBER) =>
  openBankingBody({
    payee_name: 'Ann Lee',
    payee_country: 'GB',
    payee_identifications: [{ type: 'PAN', identification }],
  });

const lines: string[] = [];
const answers: string[] = [];
const callbacks: string[] = [];
let columns: readonly ColumnText[] = [];
let sent: readonly string[] = [];

/** Three payments to a card number: settled by the payer's return, by a notification that repeats the number, and refused with it. */
beforeAll(async () => {
  const initiation = await initiationProvider();
  const gateway = await redirectGateway();
  const shop = await receiver();
  const made = await newDataDir();
  const port = await freePort();
  const config = openBankingConfig({ initiation, gateway }, shop.url, port, made.place);
  const log = createLog({ write: (line) => lines.push(line) });
  const checkout = await startCheckout(config, { log });
  const ended = (number: string, status: string) =>
    shop.until(({ fields }) => fields.order_number === number && fields.status === status);
  const toBank = async () => {
    const body = withNumber();
    const page = await createPage(checkout.url, body);
    const send = async (path: string, fields: Readonly<Record<string, string>>) => {
      const reply = await fetch(`${page}/${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
      answers.push(await reply.text());
    };
    await send('pay', { method: 'open-banking' });
    await send('answer', { step: 'bank', bank: 'bank_north' });
    answers.push(await (await fetch(page)).text());
    return body.order.number;
  };
  const first = await toBank();
  const { id } = lastOf(initiation);
  answers.push(await (await fetch(`${initiation.url}/bank/${id}/approve`)).text());
  await ended(first, 'success');
  const second = await toBank();
  lastOf(initiation).status = 'ACCC';
  await initiation.tell(lastOf(initiation));
  await ended(second, 'success');
  sent = initiation.ledger.flatMap((entry) => entry.sent.payee.identifications.map((each) => each.identification));
  initiation.state.refuses = true;
  await ended(await toBank(), 'fail');
  const bad = await post(`${checkout.url}/api/v1/session`, withNumber(`${NUMBER.slice(0, -1)}1`));
  answers.push(JSON.stringify(bad));
  await checkout.stop();
  callbacks.push(...shop.received.map(({ body }) => body));
  const { databaseUrl } = made.place;
  const { db, close } = await openDatabase(databaseUrl === undefined ? made.place : { url: databaseUrl });
  columns = await allColumns(db);
  await close();
  await Promise.all([shop.close(), initiation.close(), gateway.close(), made.remove()]);
});

afterAll(() => {
  lines.length = 0;
});

/** The number as it is, in groups, or as a database writes bytes. Its last digit is wrong in the request that was refused. */
function holdsNumber(text: string): boolean {
  const start = NUMBER.slice(0, -1);
  const ways = [start, Buffer.from(start).toString('hex'), Buffer.from(start).toString('base64')];
  return ways.some((each) => text.includes(each)) || text.replaceAll(/[ -]/g, '').includes(start);
}

test('a card number among identifications reaches the provider, each time it is paid to', () => {
  expect(sent).toEqual([NUMBER, NUMBER]);
});

test.each([
  ['a line of the log', () => lines, 'provider-call'],
  ['an answer to payer or merchant', () => answers, 'payee_identifications.0.identification'],
  ['a callback', () => callbacks, 'success'],
])('it is in no %s', (_what, textsOf, among) => {
  expect(textsOf().join('\n')).toContain(among);
  for (const text of textsOf()) expect(holdsNumber(text), text).toBe(false);
});

test('it is plain in no column: the request that holds it is sealed', () => {
  const places = columns.filter(({ text }) => text.includes('v1.')).map(({ place }) => place);
  expect(places).toEqual(expect.arrayContaining(['sessions.request_text', 'journal.reply_text']));
  expect(columns.filter(({ text }) => holdsNumber(text)).map(({ place }) => place)).toEqual([]);
});

test('it would be seen', () => {
  expect(holdsNumber(`a ${NUMBER.replaceAll(/(\d{4})(?=\d)/g, '$1-')} b`)).toBe(true);
  expect(holdsNumber(`\\x${Buffer.from(`"${NUMBER}"`).toString('hex')}`)).toBe(true);
  expect(holdsNumber('4111111111111111')).toBe(false);
});
