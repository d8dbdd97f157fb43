import type { HttpRequest, HttpResult } from '@railyard/runtime';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/index.ts';
import { type Breakers, createBreakers } from '../../src/payments/runs/breakers.ts';

const REQUEST: HttpRequest = { method: 'POST', url: 'http://x.test/', headers: {}, timeoutMs: 1, maxReplyBytes: 1 };
const reply = (status: number): HttpResult => ({ kind: 'reply', status, headers: {}, body: '' });
const LOST: HttpResult = { kind: 'lost', why: 'The connection broke.' };

let at: number;
let lines: { event?: string; mid?: string }[];
let sent: number;
let next: () => Promise<HttpResult>;
let breakers: Breakers;
let heard: string[];

beforeEach(() => {
  [at, lines, sent, heard] = [0, [], 0, []];
  next = () => Promise.resolve(LOST);
  const log = createLog({ write: (line) => lines.push(JSON.parse(line)) });
  const send = () => {
    sent += 1;
    return next();
  };
  const listener = {
    opened: (mid: string, why: string) => heard.push(`${mid} opened: ${why}`),
    closed: (mid: string) => heard.push(`${mid} closed`),
  };
  breakers = createBreakers({ send }, { monotonic: () => at, log, heard: listener });
});

const call = (mid = 'a') => breakers.transport(mid).send(REQUEST);
const events = () => lines.map(({ event, mid }) => `${event} ${mid}`);

async function opened(): Promise<void> {
  for (let failure = 0; failure < 5; failure += 1) await call();
}

describe('the breaker of an account', () => {
  test.for<[string, HttpResult]>([
    ['that is lost', LOST],
    ['that cannot be sent', { kind: 'not-sent', why: 'No process listens.' }],
    ['that is answered 503', reply(503)],
  ])('opens at the fifth call in a row %s, and nothing is sent then', async ([, result]) => {
    next = () => Promise.resolve(result);
    for (let failure = 0; failure < 4; failure += 1) await call();
    expect([breakers.waitMs('a'), breakers.broken()]).toEqual([0, false]);
    await call();
    expect(breakers.broken()).toBe(true);
    expect(await call()).toMatchObject({ kind: 'not-sent' });
    expect([sent, events(), breakers.blocked()]).toEqual([5, ['breaker-opened a', 'needs-attention a'], ['a']]);
  });

  test('says each time that it opens, and once that it closes', async () => {
    await opened();
    at += 10_000;
    await call();
    at += 20_000;
    next = () => Promise.resolve(reply(200));
    await call();
    await call();
    expect(heard).toEqual(['a opened: The connection broke.', 'a opened: The connection broke.', 'a closed']);
  });

  test('opens when a transport throws five times in a row', async () => {
    next = () => Promise.reject(new Error('It is broken.'));
    for (let failure = 0; failure < 5; failure += 1) await expect(call()).rejects.toThrow('It is broken.');
    expect(breakers.blocked()).toEqual(['a']);
  });

  test.for([200, 402, 404, 422, 429])('stays closed while calls are answered %d in between', async (status) => {
    for (let failure = 0; failure < 20; failure += 1) {
      next = () => Promise.resolve(failure % 5 === 4 ? reply(status) : LOST);
      await call();
    }
    expect([sent, breakers.broken()]).toEqual([20, false]);
  });

  test('is its own: calls of another account are sent', async () => {
    await opened();
    next = () => Promise.resolve(reply(200));
    expect(await call('b')).toEqual(reply(200));
    expect(breakers.blocked()).toEqual(['a']);
  });

  test('lets one call through after ten seconds, whose answer closes it', async () => {
    await opened();
    at += 9999;
    expect(await call()).toMatchObject({ kind: 'not-sent' });
    at += 1;
    expect(breakers.broken()).toBe(true);
    let answer: (result: HttpResult) => void = () => {};
    next = () => new Promise((resolve) => (answer = resolve));
    const probe = call();
    expect(await call()).toMatchObject({ kind: 'not-sent' });
    expect(breakers.blocked()).toEqual(['a']);
    answer(reply(404));
    await probe;
    expect([sent, breakers.broken(), breakers.blocked()]).toEqual([6, false, []]);
    expect(events()).toEqual(['breaker-opened a', 'needs-attention a', 'breaker-half-open a', 'breaker-closed a']);
  });

  test('stays open twice as long after each probe that fails, a minute at most', async () => {
    await opened();
    const waits = [];
    for (let probe = 0; probe < 5; probe += 1) {
      waits.push(breakers.waitMs('a'));
      at += breakers.waitMs('a');
      await call();
    }
    expect([waits, sent]).toEqual([[10_000, 20_000, 40_000, 60_000, 60_000], 10]);
    expect(events().filter((event) => event === 'needs-attention a')).toHaveLength(1);
  });

  test('closes when a call from before is answered after all', async () => {
    let answer: (result: HttpResult) => void = () => {};
    next = () => new Promise((resolve) => (answer = resolve));
    const early = call();
    next = () => Promise.resolve(LOST);
    await opened();
    expect(breakers.blocked()).toEqual(['a']);
    answer(reply(200));
    await early;
    expect(breakers.broken()).toBe(false);
  });
});
