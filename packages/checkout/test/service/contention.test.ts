import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { HttpEnv } from '../../src/http/basics/answers.ts';
import { failed } from '../../src/http/app.ts';
import { createLog } from '../../src/index.ts';
import { decideAndWrite } from '../../src/payments/change/write.ts';
import { PaymentBusyError, paymentQueues, untilWritten } from '../../src/payments/change/deps.ts';

/** A world in which only waiting takes time. */
function world() {
  let at = 0;
  const waits: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    at += ms;
    return Promise.resolve();
  };
  return { waits, patience: { random: () => 1, monotonic: () => at, wait } };
}

describe('a change of a payment', () => {
  test('that other processes overtake waits longer each time, and is busy when its patience is over', async () => {
    const { waits, patience } = world();
    const round = () => Promise.resolve(undefined);
    await expect(untilWritten('p-1', round, patience)).rejects.toBeInstanceOf(PaymentBusyError);
    expect(waits.slice(0, 8)).toEqual([4, 8, 16, 32, 64, 128, 250, 250]);
    expect(waits.reduce((sum, each) => sum + each)).toBeGreaterThanOrEqual(15_000);
  });

  test('that fails is not repeated', async () => {
    const { waits, patience } = world();
    await expect(untilWritten('p-1', () => Promise.reject(new Error('away')), patience)).rejects.toThrow('away');
    expect(waits).toEqual([]);
  });

  test('reads and decides again where it was overtaken or undone, and writes on what it read last', async () => {
    const queues = paymentQueues();
    const answers = [{ result: 'stale' }, { result: 'undone' }] as const;
    let version = 0;
    const answer = await decideAndWrite({ queues }, 'p-1', {
      read: () => Promise.resolve((version += 1)),
      decide: (read) => Promise.resolve({ plan: read }),
      write: (plan) => Promise.resolve(answers[plan - 1] ?? { answer: `written on ${plan}` }),
    });
    expect(answer).toBe('written on 3');
  });

  test('that has nothing to write is answered at once', async () => {
    const write = () => Promise.reject(new Error('Nothing is to be written.'));
    const answer = await decideAndWrite({ queues: paymentQueues() }, 'p-1', {
      read: () => Promise.resolve('settled'),
      decide: (read) => Promise.resolve({ answer: `already ${read}` }),
      write,
    });
    expect(answer).toBe('already settled');
  });

  test('waits for those of the same payment, not for those of others and not for itself', async () => {
    const queues = paymentQueues();
    const order: string[] = [];
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = queues.of('p-1', async () => {
      await gate;
      await queues.of('p-1', async () => void order.push('within the first'));
      order.push('first');
      throw new Error('It failed.');
    });
    const second = queues.of('p-1', async () => void order.push('second'));
    await queues.of('p-2', async () => void order.push('another payment'));
    open();
    await expect(first).rejects.toThrow('It failed.');
    await second;
    expect(order).toEqual(['another payment', 'within the first', 'first', 'second']);
  });

  test('that stays busy is answered 503 with Retry-After, never 500', async () => {
    const app = new Hono<HttpEnv>();
    app.get('/', () => Promise.reject(new PaymentBusyError('p-1')));
    app.onError(failed({ log: createLog({ write: () => undefined }) }));
    const answer = await app.request('/');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  });
});
