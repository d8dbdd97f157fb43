import type { ReceivedNotification, Transport } from '@railyard/runtime';
import { expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { createQuestions } from '../../src/notifications/questions.ts';
import { createBreakers } from '../../src/payments/runs/breakers.ts';

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
