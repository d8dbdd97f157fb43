import { kyTransport, type ReceivedNotification, type Transport } from '@railyard/runtime';
import { expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { createQuestions } from '../../src/notifications/questions.ts';
import { createBreakers } from '../../src/payments/runs/breakers.ts';
import { confirmedAt, realService, sentToPaypal } from '../support/real-providers.ts';

const request = {
  method: 'POST',
  url: 'https://provider.example/verify',
  headers: {},
  timeoutMs: 1000,
  maxReplyBytes: 1000,
};
const refusal = (why: 'signature' | 'unavailable'): ReceivedNotification => ({ kind: 'refused', why, detail: '' });

function made() {
  let sent = 0;
  const transport: Transport = {
    async send() {
      sent += 1;
      return { kind: 'lost', why: 'time-out' };
    },
  };
  const given = { monotonic: () => 0, log: createLog({ write: () => undefined }) };
  return {
    questions: createQuestions(transport, given),
    payments: createBreakers(transport, given),
    sent: () => sent,
  };
}

test('questions that fail open a breaker of their own, and none of payments', async () => {
  const { questions, payments, sent } = made();
  const fails = async (transport: Transport) => {
    await transport.send(request);
    return refusal('unavailable');
  };
  for (let count = 0; count < 60; count += 1) await questions.ask('paypal', `10.0.0.${count}`, fails);
  expect(sent()).toBe(5);
  expect([payments.blocked(), payments.broken()]).toEqual([[], false]);
});

test('of the questions of an account only four are under way at once, and the next is answered later', async () => {
  const { questions } = made();
  let asked = 0;
  let answer: (received: ReceivedNotification) => void = () => undefined;
  const gate = new Promise<ReceivedNotification>((resolve) => {
    answer = resolve;
  });
  const question = () => {
    asked += 1;
    return gate;
  };
  const all = Array.from({ length: 20 }, (_each, at) => questions.ask('paypal', `10.0.0.${at}`, question));
  const other = questions.ask('another', '10.0.0.1', question);
  expect(await Promise.all(all.slice(4))).toEqual(
    Array.from({ length: 16 }, () => expect.objectContaining({ why: 'unavailable' })),
  );
  expect(asked).toBe(5);
  answer(refusal('unavailable'));
  await Promise.all([...all, other]);
  await questions.ask('paypal', '10.0.0.1', question);
  expect(asked).toBe(6);
});

test('about a sender whose notifications the provider disowned ten times it is not asked again, about others it is', async () => {
  const { questions } = made();
  const asked: string[] = [];
  const from = (sender: string) =>
    questions.ask('paypal', sender, async () => {
      asked.push(sender);
      return refusal('signature');
    });
  for (let count = 0; count < 30; count += 1) await from('10.0.0.1');
  await from('10.0.0.2');
  expect(asked).toEqual([...Array.from({ length: 10 }, () => '10.0.0.1'), '10.0.0.2']);
});

const FORGED_BYTES = 652;

/** A notification with all headers of PayPal, none of which PayPal made. */
async function forge(url: string): Promise<number> {
  const names = ['auth-algo', 'cert-url', 'transmission-id', 'transmission-sig', 'transmission-time'];
  const headers = Object.fromEntries(names.map((name) => [`paypal-${name}`, 'forged']));
  const amount = { currency_code: 'USD', value: '10.00' };
  const resource = { id: 'FORGED', status: 'APPROVED', purchase_units: [{ amount, custom_id: 'nobody' }] };
  const event = { id: 'WH-9', event_type: 'CHECKOUT.ORDER.APPROVED', resource_type: 'checkout-order', resource };
  const summary = ' '.repeat(FORGED_BYTES - JSON.stringify({ ...event, summary: '' }).length);
  const body = JSON.stringify({ ...event, summary });
  expect(Buffer.byteLength(body)).toBe(FORGED_BYTES);
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

test('60 forged notifications, about which PayPal gives no answer, decline none of 20 payers, and take one token with them', async () => {
  const http = kyTransport();
  const asked: string[] = [];
  const transport: Transport = {
    async send(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      const isForged = pathname.endsWith('/verify-webhook-signature') && request.body?.includes('forged') === true;
      return isForged ? { kind: 'lost', why: 'No complete reply in time.' } : http.send(request);
    },
  };
  const paypal = await realService('paypal', { transport });
  paypal.simulator.setRule({ connector: 'paypal', scenario: 'settled', notifications: 'once' });
  const forged: Promise<number>[] = [];
  const payers = [];
  for (let count = 0; count < 20; count += 1) {
    for (let each = 0; each < 3; each += 1) forged.push(forge(paypal.notifyUrl));
    payers.push(await sentToPaypal(paypal.url, paypal.simulator));
  }
  const answers = await Promise.all(forged);
  await Promise.all(payers.map(async ({ page }) => fetch(await confirmedAt(page))));
  for (const { number } of payers)
    await paypal.shop.until(({ fields }) => fields.order_number === number && fields.order_status === 'settled');
  expect(paypal.shop.received.filter(({ fields }) => fields.order_status === 'decline')).toEqual([]);
  expect(answers).toEqual(Array.from({ length: 60 }, () => 503));
  expect(asked.filter((path) => path.endsWith('/oauth2/token'))).toHaveLength(1);
  await paypal.stop();
  await http.close();
});
