import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { deliver, takeCallbacks } from '../../src/callbacks/deliver.ts';
import { callbackOperator } from '../../src/callbacks/deliver.ts';
import { RETRY_PLAN_SECONDS } from '../../src/callbacks/deliver.ts';
import type { CallbackReply, CallbackRequest } from '../../src/callbacks/sender.ts';
import { createLog } from '../../src/log/log.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import type { SentCallback } from '../../src/storage/index.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { callbackSecret } from '../support/receiver.ts';
import { insertPayment, MERCHANT_KEY } from '../support/rows.ts';
import { serviceContext } from '../support/service-context.ts';

const database = useDatabase();
const URL_A = 'https://a.example/callbacks';
const URL_B = 'https://b.example/callbacks';
const MINUTE = 60_000;

const status = (code: number, retryAfter?: string): CallbackReply => ({ kind: 'reply', status: code, retryAfter });
const timeout: CallbackReply = { kind: 'timed-out', why: 'No reply within 20000 ms.' };

type Answer = (request: CallbackRequest) => CallbackReply;

/** Delivery on a clock of its own, to receivers that are played. */
function setUp(answer: Answer, secrets: string | string[] = callbackSecret) {
  const time = testClock();
  const config = anyMethodConfig({ providerUrl: 'https://p.example', callbackUrl: URL_A, port: 0 });
  const sent: CallbackRequest[] = [];
  const lines: string[] = [];
  const merchants = config.merchants.map((each) => ({ ...each, callbackSecret: secrets }));
  const made = serviceContext(database.db, { ...config, merchants }, () => time.now().getTime()).context;
  const played = { answer };
  const context: ServiceDeps = {
    ...made,
    log: createLog({ write: (line) => lines.push(line) }),
    callbackSender: {
      send: async (request) => {
        sent.push(request);
        return played.answer(request);
      },
      close: async () => undefined,
    },
  };
  let numbered = 0;
  return {
    ...time,
    context,
    sent,
    played,
    lines: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
    operator: callbackOperator({ store: context.stores.callbacks, sealer: () => context.sealer }),
    /** A payment with so many callbacks. @returns their ids */
    async payment(count: number, url = URL_A, ownUrl = false) {
      const { payment } = await insertPayment(database.db, time.clock);
      const ids = Array.from({ length: count }, () => `msg_${(numbered += 1)}`);
      const callbacks = ids.map((id) => ({
        id,
        url,
        ownUrl,
        contentType: 'application/json',
        body: JSON.stringify({ id, payment: payment.id, text: 'é "😀"' }),
      }));
      await context.stores.payments.applyTransition({
        paymentId: payment.id,
        expectedVersion: 1,
        change: { state: 'pending', unknown: false },
        event: { kind: 'told', data: {} },
        callbacks,
      });
      return ids;
    },
    /** Delivers what is due until nothing is. @returns the ids in the order of their attempts */
    async work() {
      const done: string[] = [];
      for (;;) {
        const due = await takeCallbacks(context, 10, { keys: [], ids: [] });
        if (due.length === 0) return done;
        for (const each of due)
          for (let next: SentCallback | boolean = each; typeof next === 'object'; next = await deliver(context, next))
            done.push(next.id);
      }
    },
  };
}

const idOf = ({ headers }: CallbackRequest) => headers['webhook-id'];

describe('a callback that is not accepted', () => {
  it('is sent thirteen times along the plan, is then dead, and can be replayed along the whole plan', async () => {
    const { payment, work, advance, sent, operator, lines, now } = setUp(() => status(500));
    const [id = ''] = await payment(1);
    const at: number[] = [];
    const started = now().getTime();
    for (const wait of [0, ...RETRY_PLAN_SECONDS]) {
      if (wait > 0) {
        advance(wait * 1000 - 1);
        expect(await work()).toEqual([]);
        advance(1);
      }
      expect(await work()).toEqual([id]);
      at.push((now().getTime() - started) / 1000);
    }
    expect(at.slice(0, 6)).toEqual([0, 5, 65, 365, 1265, 3065]);
    advance(100 * 24 * 3_600_000);
    expect(await work()).toEqual([]);
    expect(await operator.list({ dead: true })).toMatchObject([{ id, state: 'dead', attempts: 13, lastStatus: 500 }]);
    expect(lines().at(-1)).toMatchObject({ event: 'needs-attention', callback: id });

    expect(await operator.replay({ dead: true, merchant: 'another' })).toEqual([]);
    expect(await operator.replay({ dead: true })).toEqual([id]);
    expect(await operator.replay([id])).toEqual([]);
    expect(await work()).toEqual([id]);
    advance(5000);
    expect(await work()).toEqual([id]);
    expect(new Set(sent.map(({ body }) => createHash('sha256').update(body).digest('hex'))).size).toBe(1);
    expect(new Set(sent.map(idOf))).toEqual(new Set([id]));
    expect(await operator.list({ dead: true })).toEqual([]);
  });

  it.each<[string, CallbackReply, number]>([
    ['a redirect', status(307), 5000],
    ['400', status(400), 5000],
    ['404', status(404), 5000],
    ['500', status(500), 5000],
    ['500 with Retry-After', status(500, '60'), 5000],
    ['429 with seconds', status(429, '60'), 60_000],
    ['503 with seconds', status(503, '60'), 60_000],
    ['503 with a date', status(503, 'Thu, 01 Jan 2026 00:02:00 GMT'), 120_000],
    ['503 with less than planned', status(503, '1'), 5000],
    ['503 with a year', status(503, '31536000'), 86_400_000],
    ['a timeout', timeout, 5000],
    ['a broken connection', { kind: 'failed', why: 'The connection broke.' }, 5000],
  ])('because of %s comes again after the wait', async (_case, reply, wait) => {
    const { payment, work, advance } = setUp(() => reply);
    const ids = await payment(1);
    await work();
    advance(wait - 1);
    expect(await work()).toEqual([]);
    advance(1);
    expect(await work()).toEqual(ids);
  });

  it.each([200, 201, 204, 299])('is done with %i', async (code) => {
    const { payment, work, advance, operator } = setUp(() => status(code));
    await payment(1);
    await work();
    advance(7 * 86_400_000);
    expect(await work()).toEqual([]);
    expect(await operator.list()).toMatchObject([{ state: 'delivered', lastStatus: code, attempts: 1 }]);
  });
});

describe('an address', () => {
  it('that times out five times in five minutes is paused for fifteen, and another address is not', async () => {
    const { payment, work, advance, played, operator, lines, sent } = setUp(({ url }) =>
      url === URL_A ? timeout : status(200),
    );
    for (let count = 0; count < 5; count += 1) {
      await payment(1);
      advance(60_000);
    }
    expect(await work()).toHaveLength(5);
    expect(lines().filter(({ event }) => event === 'callback-address-paused')).toMatchObject([{ host: 'a.example' }]);
    const [other = ''] = await payment(1, URL_B);
    await payment(1);
    expect(await work()).toEqual([other]);
    expect((await operator.list()).filter(({ held }) => held === 'paused')).toHaveLength(6);
    advance(15 * MINUTE - 1);
    expect(await work()).toEqual([]);
    advance(1);
    played.answer = () => status(200);
    expect(new Set(await work()).size).toBe(6);
    expect(sent.filter(({ url }) => url === URL_A)).toHaveLength(5 + 6);
  });

  it.each<[string, readonly [CallbackReply, number][]]>([
    ['lie further apart', [0, 1, 2, 3, 4].map((): [CallbackReply, number] => [timeout, 76_000])],
    [
      'have a success between them',
      [timeout, timeout, status(200), timeout, timeout, timeout].map((each) => [each, 1000]),
    ],
  ])('is not paused by timeouts that %s', async (_case, replies) => {
    const { payment, advance, played, lines, context } = setUp(() => timeout);
    for (const [reply, pause] of replies) {
      played.answer = () => reply;
      const [id] = await payment(1);
      const due = await takeCallbacks(context, 50, { keys: [], ids: [] });
      for (const each of due.filter((one) => one.id === id)) await deliver(context, each);
      advance(pause);
    }
    expect(lines().filter(({ event }) => event === 'callback')).toHaveLength(replies.length);
    expect(lines().filter(({ event }) => event === 'callback-address-paused')).toEqual([]);
  });

  it('that is paused is called again by hand', async () => {
    const { payment, work, operator, played } = setUp(() => timeout);
    for (let count = 0; count < 5; count += 1) await payment(1);
    await work();
    played.answer = () => status(200);
    expect(await operator.resume(URL_A)).toEqual({ wasPaused: true, enabledFor: [], due: 5 });
    expect(await work()).toHaveLength(5);
    expect(await operator.resume(URL_A)).toEqual({ wasPaused: false, enabledFor: [], due: 0 });
  });

  it('that is gone is called no more until an operator resumes it, and nothing is lost', async () => {
    const { payment, work, advance, operator, played, lines } = setUp(() => status(410));
    const [id = ''] = await payment(1);
    await work();
    await payment(2);
    advance(30 * 86_400_000);
    expect(await work()).toEqual([]);
    expect(lines().at(-1)).toMatchObject({ event: 'needs-attention', merchant: MERCHANT_KEY, host: 'a.example' });
    expect((await operator.list()).map(({ held }) => held)).toEqual(['disabled', 'disabled', 'disabled']);
    played.answer = () => status(200);
    expect(await operator.resume(URL_A)).toMatchObject({ enabledFor: [MERCHANT_KEY] });
    const done = await work();
    expect([done[0] === id || done.includes(id), done.length]).toEqual([true, 3]);
  });

  it('that works again after it was down gets all that waits for it, at once', async () => {
    const { payment, work, advance, played, operator } = setUp(() => status(502));
    for (let count = 0; count < 40; count += 1) await payment(count % 4 === 0 ? 2 : 1);
    for (const wait of RETRY_PLAN_SECONDS.slice(0, 6)) {
      await work();
      advance(wait * 1000);
    }
    await work();
    played.answer = () => status(200);
    const [fresh = ''] = await payment(1);
    expect((await work())[0]).toBe(fresh);
    expect((await operator.list({ limit: 1000 })).filter(({ state }) => state !== 'delivered')).toEqual([]);
    // A few that failed on the way did not use up anybody's plan.
    expect((await operator.list({ limit: 1000 })).every(({ attempts }) => attempts <= 8)).toBe(true);
  });

  it('that the merchant has left gets nothing more: what waits goes to the new one', async () => {
    const { payment, work, context, sent, advance } = setUp(() => status(500));
    await payment(2);
    await work();
    expect(await context.stores.callbacks.readdress({ merchantKey: MERCHANT_KEY, test: false }, URL_B)).toBe(2);
    advance(5000);
    await work();
    expect(sent.map(({ url }) => url)).toEqual([URL_A, URL_B]);
  });

  it('that a payment has for itself stays, wherever the merchant goes', async () => {
    const { payment, work, context, sent, advance } = setUp(() => status(500));
    await payment(1, URL_A, true);
    await work();
    expect(await context.stores.callbacks.readdress({ merchantKey: MERCHANT_KEY, test: false }, URL_B)).toBe(0);
    advance(5000);
    await work();
    expect(sent.map(({ url }) => url)).toEqual([URL_A, URL_A]);
  });
});

describe('what is sent', () => {
  const newer = `whsec_${Buffer.from('a newer key of thirty-two bytes!').toString('base64')}`;

  it('carries the payment version, and a signature of this attempt by each secret', async () => {
    const { payment, work, advance, sent, now } = setUp(() => status(500), [newer, callbackSecret]);
    await payment(1);
    const times = [];
    for (let round = 0; round < 2; round += 1) {
      await work();
      times.push(String(Math.floor(now().getTime() / 1000)));
      advance(5000);
    }
    expect(sent.map(({ headers }) => headers['webhook-timestamp'])).toEqual(times);
    for (const { headers, body } of sent) {
      expect(headers).toMatchObject({ 'x-payment-version': '1', 'content-type': 'application/json' });
      const [first = '', second = '', ...more] = (headers['webhook-signature'] ?? '').split(' ');
      expect(more).toEqual([]);
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      expect(first).toBe(new Webhook(newer).sign(headers['webhook-id'] ?? '', at, body));
      expect(second).toBe(new Webhook(callbackSecret).sign(headers['webhook-id'] ?? '', at, body));
    }
  });

  it('arrives in the order of each payment whatever fails', async () => {
    const random = seeded(7);
    const replies = [status(200), status(200), status(500), status(503, '30'), timeout, status(307)];
    const arrived = new Map<string, number[]>();
    const asked = new Map<string, number>();
    const { payment, work, advance, operator } = setUp(({ headers, body }) => {
      const tries = (asked.get(headers['webhook-id'] ?? '') ?? 0) + 1;
      asked.set(headers['webhook-id'] ?? '', tries);
      // The last attempt of the plan is taken, so that no callback is given up.
      const last = tries > RETRY_PLAN_SECONDS.length;
      const reply = (last ? undefined : replies[Math.floor(random() * replies.length)]) ?? status(200);
      // Of a failure nobody knows whether the receiver took it; here a receiver keeps what it has answered with 200, and one in ten more.
      if ((reply.kind === 'reply' && reply.status === 200) || random() < 0.1) {
        const key = /"payment":"([^"]+)"/.exec(body)?.[1] ?? '';
        arrived.set(key, [...(arrived.get(key) ?? []), Number(headers['x-payment-version'])]);
      }
      return reply;
    });
    for (let count = 0; count < 30; count += 1) await payment(10, count % 3 === 0 ? URL_A : URL_B);
    const waiting = async () =>
      (await operator.list({ limit: 1000 })).filter(({ state }) => state === 'waiting').length;
    for (let round = 0; round < 1000 && (round % 20 !== 0 || (await waiting()) > 0); round += 1) {
      await work();
      advance(10 * MINUTE);
    }
    expect(await waiting()).toBe(0);
    const inOrder = Array.from({ length: 10 }, (_, index) => index + 1);
    expect(arrived.size).toBe(30);
    for (const versions of arrived.values()) {
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      expect([...new Set(versions)]).toEqual(inOrder);
    }
  });
});

/** A small generator that gives the same numbers for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
