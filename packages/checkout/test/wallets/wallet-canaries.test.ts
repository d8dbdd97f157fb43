import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/index.ts';
import { told } from '../support/acquirer-service.ts';
import { allColumns } from '../support/all-columns.ts';
import { cardCanary, holds } from '../support/card-canary.ts';
import { saleFields } from '../support/card-commands.ts';
import { sendCommand } from '../support/commands.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import {
  appleSettings,
  appleToken,
  CRYPTOGRAM,
  googleSettings,
  googleToken,
  payByWallet,
  processingKey,
  walletPage,
  walletService,
} from '../support/wallet-service.ts';

const { number, hasNumber } = cardCanary();
const texts: { readonly place: string; readonly text: string }[] = [];
let forwarded = '';
let made: DataDir;

beforeAll(async () => {
  made = await newDataDir();
  const service = await walletService({}, { place: made.place });
  const pay = async (method: string, token: string) => {
    const order = await walletPage(service, method);
    const reply = await payByWallet(order.page, method, token);
    texts.push({ place: 'page', text: `${reply.text} ${await (await fetch(order.page)).text()}` });
    return order.number;
  };
  /** The same token by a server-to-server command. */
  const sell = async (digital_wallet: string, payment_token: string) => {
    const noCard = { card_number: '', card_exp_month: '', card_exp_year: '', card_cvv2: '' };
    const fields = saleFields({ ...noCard, order_amount: '10.00', digital_wallet, payment_token });
    texts.push({ place: 'answer', text: JSON.stringify((await sendCommand(service.url, fields)).json) });
  };
  // The acquirer repeats what it was sent, as some do.
  service.state.answer = ({ url, body = '' }) =>
    url.endsWith('/sales') ? { status: 422, body: { code: 'refused', message: `Refused: ${body}` } } : undefined;
  for (const [method, token] of [
    ['apple-pay', appleToken({ number })],
    ['google-pay', googleToken({ number })],
    ['google-pay', googleToken({ number, panOnly: true })],
    ['google-token', googleToken({ number })],
    ['google-virtual', (forwarded = googleToken({ number }))],
  ] as const)
    await told(service, await pay(method, token), { status: 'fail' });
  await sell('applepay', appleToken({ number }));
  await sell('googlepay', googleToken({ number }));
  service.state.answer = ({ url }) => (url.endsWith('/sales') ? 'lost' : undefined);
  await sell('googlepay', googleToken({ number, panOnly: true }));
  service.state.answer = () => undefined;
  await sell('applepay', appleToken({ number }));
  for (const token of [appleToken({ number, amount: 1 }), `{"paymentData":"${number}"}`, number])
    await sell('applepay', token);
  await told(service, await pay('apple-pay', appleToken({ number })), {});
  // Refused ones: for another amount, opened or not, and one of which nothing can be read.
  for (const token of [appleToken({ number, amount: 1 }), `{"paymentData":"${number}"}`, number])
    await pay('apple-pay', token);
  const answers = texts.filter(({ place }) => place === 'answer').map(({ text }) => text);
  for (const result of ['DECLINED', 'UNDEFINED', 'SUCCESS', 'ERROR'])
    expect(answers).toContainEqual(expect.stringContaining(`"result":"${result}"`));
  await service.stop();
  texts.push(...service.lines.map((text) => ({ place: 'log', text })));
  texts.push(...service.shop.received.map(({ body }) => ({ place: 'callback', text: decodeURIComponent(body) })));
  const { databaseUrl } = made.place;
  const { db, close } = await openDatabase(databaseUrl === undefined ? made.place : { url: databaseUrl });
  texts.push(...(await allColumns(db)));
  await close();
});
afterAll(() => made.remove());

describe('of a payment with a wallet nothing that is secret is in any log, callback, page, answer or column', () => {
  const places = (found: (text: string) => boolean) =>
    texts.filter(({ text }) => found(text)).map(({ place }) => place);

  test('not the decrypted number', () => {
    expect(texts.length).toBeGreaterThan(100);
    expect(places(hasNumber)).toEqual([]);
  });

  test('not the cryptogram, and not the token that went to the provider', () => {
    const { token } = JSON.parse(forwarded).paymentMethodData.tokenizationData;
    expect(places((text) => text.includes(CRYPTOGRAM) || text.includes(JSON.parse(token).signature))).toEqual([]);
  });

  test.each([
    ['processing key of Apple Pay', processingKey],
    ['key of the merchant’s identity', appleSettings.private_key],
    ['key of Google Pay', googleSettings.private_key],
  ])('not the %s', (_name, key) => {
    const [line = ''] = key.split('\n').toSorted((one, other) => other.length - one.length);
    expect(places((text) => holds(text, line.slice(0, 60)))).toEqual([]);
  });
});
