import { randomInt, randomUUID } from 'node:crypto';
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
import { walletGatewayAccount } from '../support/wallet-gateway-account.ts';

const digits = () => String(randomInt(10 ** 8)).padStart(8, '0');
const PIN = digits() + digits();
const inGroups = PIN.replace(/\d{4}(?=\d)/g, '$& ');
const FIELD = 'parameters.pin-voucher.pin';
const isPin = numberIn(PIN);
const holdsPin = (text: string) => text.includes(inGroups) || isPin(text);
/** The answer to a security question: 25 characters without spaces. */
const ANSWER = randomUUID().replaceAll('-', '').slice(0, 25);
const holdsSecret = (text: string) => holdsPin(text) || text.includes(ANSWER);
const accounts = [...voucherAccounts, walletGatewayAccount];

const lines: string[] = [];
const callbacks: string[] = [];
/** Answers of the service to the payer and to the merchant. */
const answers: string[] = [];
let columns: readonly ColumnText[] = [];

beforeAll(async () => {
  const shop = await receiver();
  const made = await newDataDir();
  const [port, providerPort] = [await freePort(), await freePort()];
  const config = familyConfig(accounts, { callbackUrl: shop.url, port, providerPort });
  const log = createLog({ write: (line) => lines.push(line) });
  const checkout = await startCheckout({ ...config, ...made.place }, { log });
  const simulator = await familyProviders(accounts, checkout.url, providerPort);
  const heard = async (reply: Response) => answers.push(`${JSON.stringify([...reply.headers])} ${await reply.text()}`);
  /** The merchant is called back about the order and looks its payment up. */
  async function merchantReads(number: string) {
    const { fields } = await shop.until((each) => each.fields['order_number'] === number);
    const payment_id = fields['id'] ?? '';
    const hash = signRequest('status_by_payment', { payment_id }, merchant.password);
    const asked = { merchant_key: merchant.key, payment_id, hash };
    answers.push(JSON.stringify((await post(`${checkout.url}/api/v1/payment/status`, asked)).json));
  }
  for (const scenario of ['settled', 'declined', '502-html'] as const) {
    simulator.setRule({ connector: 'voucher-gateway', scenario });
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
    for (const { order } of [entered, brought]) await merchantReads(order.number);
  }
  const question = { SecurityQuestion: 'Where do we meet?', SecurityQuestionAnswer: ANSWER };
  const linked = sessionBody({
    methods: ['link-email'],
    customer: { email: 'ada@example.com' },
    parameters: { 'link-email': question },
  });
  const page = await createPage(checkout.url, linked);
  await heard(await pressPay(page, { method: 'link-email' }));
  await heard(await fetch(page));
  simulator.settle(simulator.payments().at(-1)?.id ?? '');
  await merchantReads(linked.order.number);
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

describe('the PIN of a voucher, and the answer to a security question,', () => {
  test('are in no line of the log', () => {
    for (const called of ['"provider-call"', 'send-link'])
      expect(lines.some((line) => line.includes(called))).toBe(true);
    expect(lines.filter(holdsSecret)).toEqual([]);
  });

  test('are in no callback', () => {
    expect(callbacks.length).toBeGreaterThanOrEqual(7);
    expect(callbacks.filter(holdsSecret)).toEqual([]);
  });

  test('are in no answer to the payer or the merchant, a PIN not beside the field that it was typed into either', () => {
    expect(answers.length).toBeGreaterThan(24);
    expect(answers.filter((each) => each.includes('type="password"')).length).toBeGreaterThan(3);
    expect(answers.filter(holdsSecret)).toEqual([]);
  });

  test('are in no column of the database', () => {
    expect(columns.some(({ place, text }) => place === 'flow_runs.input_text' && text !== '')).toBe(true);
    expect(columns.filter(({ text }) => holdsSecret(text)).map(({ place }) => place)).toEqual([]);
  });

  test('would be found if they were there', () => {
    expect([PIN, inGroups, `"answer":"${ANSWER}"`, `x${btoa(`a${PIN}`)}`, `{"pin":"${PIN}"}`].every(holdsSecret)).toBe(
      true,
    );
  });
});
