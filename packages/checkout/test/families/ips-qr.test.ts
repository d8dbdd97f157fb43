import { createHmac } from 'node:crypto';
import { parseIpsQr } from '@railyard/identifiers/ips-qr';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apmSaleFields } from '../support/apm-commands.ts';
import { bankTransferAccounts, ipsSecret } from '../support/bank-transfer-accounts.ts';
import { sendCommand, toldCommand } from '../support/commands.ts';
import { familyService } from '../support/family-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

const MINUTE = 60_000;
let at = Date.parse('2026-11-21T12:00:00Z');
let service: Awaited<ReturnType<typeof familyService>>;

beforeAll(async () => {
  service = await familyService(bankTransferAccounts, () => at);
});
afterAll(() => service.stop());

/** A payment whose code the payer sees. */
async function shown(currency = 'RSD') {
  const order = { currency, amount: '1025.12', description: 'Two books' };
  const body = sessionBody({ methods: ['ips-qr'] }, order);
  const page = await createPage(service.url, body);
  expect((await pressPay(page, { method: 'ips-qr' })).status).toBe(303);
  return { page, number: body.order.number, code: latest() };
}

/** The bank's code that was made last. */
function latest() {
  const held = service.simulator.payments().at(-1);
  if (held === undefined) throw new Error('The bank has made no code.');
  return held;
}

/** What the bank reports about a code, whatever its lookups say. */
async function report({ id, reference, currency }: ReturnType<typeof latest>, code: string): Promise<void> {
  const body = JSON.stringify({
    event_id: `${id}/${code}`,
    code_id: id,
    order_ref: reference,
    code,
    amount: '1025.12',
    currency,
  });
  const signature = createHmac('sha256', ipsSecret).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-ips-signature': signature };
  const answer = await fetch(`${service.url}/notify/bank-ips`, { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
}

const until = (number: string, state: string) =>
  service.shop.until(({ fields }) => fields['order_number'] === number && fields['order_status'] === state);
const told = (number: string) =>
  service.shop.received
    .filter(({ fields }) => fields['order_number'] === number)
    .map(({ fields }) => fields['order_status']);

test('shows the code with order number, amount and description, for a minute', async () => {
  const { page, number } = await shown();
  const text = await (await fetch(page)).text();
  expect(text).toContain('<svg');
  for (const part of [number, '1,025.12', 'Two books', new Date(at + MINUTE).toISOString()])
    expect(text).toContain(part);
});

test('a code whose minute is over gives way to another, and is settled once when the payer confirms late', async () => {
  const { page, number, code } = await shown();
  at += MINUTE;
  expect((await fetch(`${page}/renew`, { method: 'POST', redirect: 'manual' })).status).toBe(303);
  expect(latest().id).not.toBe(code.id);
  service.simulator.settle(code.id);
  await until(number, 'settled');
});

test.each(['RSD', 'EUR'])('a merchant’s server in %s gets the code in Base64, and draws it', async (currency) => {
  const fields = apmSaleFields({ brand: 'ips-qr', order_currency: currency, order_amount: '1025.12' });
  const { json } = await sendCommand(service.url, fields, {}, '/post-va');
  expect(json).toMatchObject({ result: 'REDIRECT', status: 'REDIRECT' });
  const { qr_code } = Object(json['redirect_params']);
  const text = Buffer.from(qr_code, 'base64').toString();
  expect(Buffer.from(text).toString('base64')).toBe(qr_code);
  if (currency === 'RSD') expect(parseIpsQr(text)).toMatchObject({ ok: true, code: { kind: 'EK', amount: '1025.12' } });
  else expect(text).toBe(`IPS:EUR:1025.12:${latest().id}`);
  service.simulator.settle(latest().id);
  await toldCommand(service.shop, fields['order_id'], 'SETTLED');
});

/** Waits until an operator is called about the payment of an order that had ended already. */
function called(number: string, why: string) {
  const about = service.shop.received.find(({ fields }) => fields['order_number'] === number)?.fields['id'] ?? number;
  return expect
    .poll(() => service.lines.filter((line) => line.includes('quarantined') && line.includes(about)))
    .toContainEqual(expect.stringContaining(why));
}

describe('where the bank’s reports and lookups differ, the first end stays and an operator is called:', () => {
  test('a report of a transfer before a lookup that it was rejected', async () => {
    const { number, code } = await shown();
    await report(code, 'ACSC');
    await until(number, 'settled');
    service.simulator.decline(code.id);
    await called(number, 'declined after settled');
    expect(told(number)).toEqual(['pending', 'settled']);
  });

  test('a report of a rejection before a lookup that it was executed', async () => {
    const { number, code } = await shown();
    await report(code, 'RJCT');
    await until(number, 'decline');
    service.simulator.settle(code.id);
    await called(number, 'settled after declined');
    expect(told(number)).toEqual(['pending', 'decline']);
  });

  test('a lookup that it was executed before a report of a rejection', async () => {
    service.simulator.setRule({ connector: 'bank-ips', notifications: 'none' });
    const { number, code } = await shown();
    service.simulator.settle(code.id);
    at += 10 * MINUTE;
    await until(number, 'settled');
    await report(code, 'RJCT');
    await called(number, 'declined after settled');
    expect(told(number)).toEqual(['pending', 'settled']);
  });
});
