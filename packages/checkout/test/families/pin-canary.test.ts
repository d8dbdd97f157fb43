import { randomInt } from 'node:crypto';
import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog, startCheckout } from '../../src/index.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { allColumns, type ColumnText } from '../support/all-columns.ts';
import { numberIn } from '../support/card-canary.ts';
import { newDataDir } from '../support/data-dir.ts';
import { familyConfig, familyProviders } from '../support/family-service.ts';
import { freePort } from '../support/listen.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, merchant, post, pressPay, sessionBody } from '../support/service.ts';
import { voucherAccounts } from '../support/voucher-accounts.ts';

const digits = () => String(randomInt(10 ** 8)).padStart(8, '0');
const PIN = digits() + digits();
const inGroups = PIN.replace(/\d{4}(?=\d)/g, '$& ');
const FIELD = 'parameters.pin-voucher.pin';
const isPin = numberIn(PIN);
const holdsPin = (text: string) => text.includes(inGroups) || isPin(text);

const lines: string[] = [];
const callbacks: string[] = [];
/** Answers of the service to the payer and to the merchant. */
const answers: string[] = [];
let columns: readonly ColumnText[] = [];

beforeAll(async () => {
  const shop = await receiver();
  const made = await newDataDir();
  const [port, providerPort] = [await freePort(), await freePort()];
  const config = familyConfig(voucherAccounts, { callbackUrl: shop.url, port, providerPort });
  const log = createLog({ write: (line) => lines.push(line) });
  const checkout = await startCheckout({ ...config, ...made.place }, { log });
  const simulator = await familyProviders(voucherAccounts, checkout.url, providerPort);
  const heard = async (reply: Response) => answers.push(`${JSON.stringify([...reply.headers])} ${await reply.text()}`);
  for (const scenario of ['settled', 'declined', '502-html'] as const) {
    simulator.setRule({ connector: 'voucher-pin', scenario });
    const entered = sessionBody({ methods: ['pin-voucher'] });
    const page = await createPage(checkout.url, entered);
    await heard(await pressPay(page, { method: 'pin-voucher', [FIELD]: `${PIN}9` }));
    await heard(await pressPay(page, { method: 'pin-voucher', [FIELD]: inGroups }));
    await heard(await fetch(page));
    await heard(await fetch(`${page}?again=1`));
    const parameters = { 'pin-voucher': { pin: PIN } };
    const brought = sessionBody({ methods: ['pin-voucher'], parameters });
    const other = await createPage(checkout.url, brought);
    await heard(await fetch(other));
    await heard(await pressPay(other, { method: 'pin-voucher' }));
    await heard(await fetch(other));
    for (const { order } of [entered, brought]) {
      const { fields } = await shop.until((each) => each.fields['order_number'] === order.number);
      const payment_id = fields['id'] ?? '';
      const hash = signRequest('status_by_payment', { payment_id }, merchant.password);
      const { json } = await post(`${checkout.url}/api/v1/payment/status`, {
        merchant_key: merchant.key,
        payment_id,
        hash,
      });
      answers.push(JSON.stringify(json));
    }
  }
  const wrong = { 'pin-voucher': { pin: `${PIN}9` } };
  const refused = await post(
    `${checkout.url}/api/v1/session`,
    sessionBody({ methods: ['pin-voucher'], parameters: wrong }),
  );
  answers.push(JSON.stringify(refused.json));
  await checkout.stop();
  await simulator.close();
  callbacks.push(...shop.received.map((each) => JSON.stringify(each)));
  await shop.close();
  const { databaseUrl } = made.place;
  const database = await openDatabase(
    databaseUrl === undefined ? made.place : { url: databaseUrl, poolSize: 2, onLost: () => undefined },
  );
  columns = await allColumns(database.db);
  await database.close();
  await made.remove();
}, 60_000);
afterAll(() => {
  lines.length = 0;
});

describe('the PIN of a voucher', () => {
  test('is in no line of the log', () => {
    expect(lines.some((line) => line.includes('provider-call'))).toBe(true);
    expect(lines.filter(holdsPin)).toEqual([]);
  });

  test('is in no callback', () => {
    expect(callbacks.length).toBeGreaterThanOrEqual(6);
    expect(callbacks.filter(holdsPin)).toEqual([]);
  });

  test('is in no answer to the payer or the merchant, not beside the field that it was typed into either', () => {
    expect(answers.length).toBeGreaterThan(24);
    expect(answers.filter((each) => each.includes('type="password"')).length).toBeGreaterThan(3);
    expect(answers.filter(holdsPin)).toEqual([]);
  });

  test('is in no column of the database', () => {
    expect(columns.some(({ place, text }) => place === 'flow_runs.input_text' && text !== '')).toBe(true);
    expect(columns.filter(({ text }) => holdsPin(text)).map(({ place }) => place)).toEqual([]);
  });

  test('would be found if it were there', () => {
    expect([PIN, inGroups, `x${btoa(`a${PIN}`)}`, `{"pin":"${PIN}"}`].every(holdsPin)).toBe(true);
  });
});
