import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { signRequest, signSession } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { anyMethodService, errorLines, postRaw } from '../support/any-method-service.ts';
import type { Place } from '../support/data-dir.ts';
import { saveCard } from '../support/saved-card.ts';
import { saveSchedule } from '../support/saved-schedule.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

/** A request recorded from an unmodified public client of the protocol. */
interface Recorded {
  readonly client: string;
  readonly id: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly key: string;
  readonly secret: string;
  readonly body: string;
  readonly follows_formula: boolean;
}

const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('../../../core/test/fixtures/client-requests.json', import.meta.url), 'utf8'),
);
const sessions = recorded.filter(({ path }) => path === '/api/v1/session');
const statuses = recorded.filter(({ path }) => path === '/api/v1/payment/status');

/** The keys that these clients use, and the method behind each. */
const OFFERS = [
  { key: 'card', mid: 'any' },
  { key: 'num-googlepay', method: 'google-pay', title: 'Google Pay, NUM', mid: 'any' },
  { key: 'awcc', method: 'crypto-receive', mid: 'any' },
  { key: 'buzapay', method: 'redirect', title: 'Buzapay', mid: 'any' },
];

/** The saved card that one of them pays with. */
const SAVED_CARD = z
  .object({ card_token: z.tuple([z.string()]) })
  .parse(JSON.parse(sessions.find(({ body }) => body.includes('card_token'))?.body ?? '{}')).card_token[0];

/** The schedule that one of them charges by. */
const { schedule_id: SCHEDULE } = z
  .object({ schedule_id: z.string() })
  .parse(JSON.parse(sessions.find(({ body }) => body.includes('schedule_id'))?.body ?? '{}'));

/** They were recorded in the days before the first charge that one of them asks for. */
let at = Date.parse('2026-11-21T10:00:00Z');
/** The id that the next session gets, and with it its first payment. */
let nextId: string | undefined;
const newId = () => {
  const id = nextId ?? randomUUID();
  nextId = undefined;
  return id;
};
let service: Awaited<ReturnType<typeof anyMethodService>>;

const [secret = '', ...otherSecrets] = new Set(recorded.map((each) => each.secret));

beforeAll(async () => {
  const prepare = async (place: Place) => {
    await saveCard(place, SAVED_CARD);
    await saveSchedule(place, SCHEDULE);
  };
  service = await anyMethodService(OFFERS, { clock: () => at, newId, password: secret, prepare });
});

afterAll(() => service.stop());

/** The body as it was sent, under the headers it was sent with. Some repeat an order number, so each comes in its own window. */
function replay({ path, body, headers }: Recorded) {
  at += 16_000;
  return postRaw(`${service.url}${path}`, body, Object.fromEntries(headers));
}

test('all recorded requests of these two addresses are here', () => {
  expect(otherSecrets).toEqual([]);
  expect([sessions.length, statuses.length]).toEqual([23, 5]);
});

describe('session requests of real clients', () => {
  test.each(sessions.filter((each) => each.follows_formula))('$client $id is accepted', async (request) => {
    const answer = await replay(request);
    expect(answer.status).toBe(200);
    // Clients read an absolute address at the top level.
    const page = new URL(String(Reflect.get(Object(answer.json), 'redirect_url')));
    expect((await fetch(page)).status).toBe(200);
  });

  test.each(sessions)('$client $id is refused when its hash is not that of its merchant', async (request) => {
    const answer = await replay({ ...request, body: request.body.replace(/("hash": ?")[0-9a-f]{4}/, '$10000') });
    expect(answer.status).toBe(400);
    expect(errorLines(answer.json)).toEqual(['hash: Hash is not valid.']);
  });

  test('sent twice within the window are refused as clients expect', async () => {
    const [request] = sessions;
    if (request === undefined) throw new Error('There are no requests.');
    await replay(request);
    const again = await postRaw(`${service.url}${request.path}`, request.body);
    expect(again.json).toEqual({
      http_code: 400,
      error_code: '400',
      error_message: 'Duplicate request.',
      request_id: expect.any(String),
    });
  });
});

/** What the status requests ask for, made before they come: a payment with the id that the clients know, and orders with theirs. */
const PAYMENT = '33333333-4444-4555-8666-777777777777';
const ORDERS = ['ord-2001', 'INV-2026-00001-12'];

async function payOrders(): Promise<void> {
  for (const number of ORDERS) {
    at += 16_000;
    if (number === 'ord-2001') nextId = PAYMENT;
    const order = { number, amount: '10.00', currency: 'USD', description: 'Important gift' };
    const page = await createPage(
      service.url,
      sessionBody({ methods: ['card'], hash: signSession(order, secret) }, order),
    );
    await pressPay(page, { method: 'card' });
  }
}

describe('status requests of real clients', () => {
  beforeAll(payOrders);

  test.each(statuses)('$client $id reads how the payment stands', async (request) => {
    const answer = await replay(request);
    expect(answer.status).toBe(200);
    const sent = JSON.parse(request.body);
    const order = {
      number: sent.order_id ?? 'ord-2001',
      amount: '10.00',
      currency: 'USD',
      description: 'Important gift',
    };
    const payment_id = order.number === 'ord-2001' ? PAYMENT : expect.any(String);
    const payment = { payment_id, status: 'settled', date: expect.any(String), order };
    expect(answer.json).toEqual(sent.size === undefined ? payment : [payment]);
  });

  test.each(statuses)('$client $id hears in the words of the protocol that nothing is there', async (request) => {
    const none = { payment_id: '44444444-4444-4555-8666-777777777777', order_id: 'ord-none' };
    const { hash: _hash, ...sent } = JSON.parse(request.body);
    const by = sent.order_id === undefined ? 'payment_id' : 'order_id';
    const fields = { payment_id: none.payment_id, order_id: none.order_id };
    const formula = by === 'payment_id' ? 'status_by_payment' : 'status_by_order';
    const body = { ...sent, [by]: none[by], hash: signRequest(formula, fields, secret) };
    expect((await replay({ ...request, body: JSON.stringify(body) })).json).toEqual({
      http_code: 400,
      error_code: '101000',
      error_message: by === 'payment_id' ? 'Payment does not exist.' : 'Order does not exist.',
      request_id: expect.any(String),
    });
  });
});
