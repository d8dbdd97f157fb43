import { signRequest, signSession } from '@railyard/core/protocol';
import { isSealed, sealedAt } from '../../src/secrets/index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { pixConfig } from '../support/pix-config.ts';
import { anyMethodService, errorLines } from '../support/any-method-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { payByCard } from '../support/merchant-acts.ts';
import { merchant, sessionBody } from '../support/service.ts';
import { serviceContext } from '../support/service-context.ts';

let at = Date.now();
let service: Awaited<ReturnType<typeof anyMethodService>>;
let keys = 0;

beforeAll(async () => {
  service = await anyMethodService(undefined, { clock: () => at });
});

afterAll(() => service.stop());

const newKey = () => `key-${(keys += 1)}`;
const cardBody = (order: Readonly<Record<string, string>> = {}) =>
  sessionBody({ methods: ['card'] }, { currency: 'USD', ...order });

async function send(body: object | string, key: string) {
  const reply = await fetch(`${service.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await reply.text();
  return { status: reply.status, text, json: JSON.parse(text) as unknown, headers: reply.headers };
}

describe('a request with an Idempotency-Key', () => {
  test('gets the same bytes again for 24 hours, within the duplicate window too', async () => {
    const [body, key] = [cardBody(), newKey()];
    const first = await send(body, key);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
    for (const later of [1000, 20_000, 24 * 3_600_000 - 60_000]) {
      at += later;
      const again = await send(body, key);
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      at -= later;
    }
    at += 24 * 3_600_000;
    expect((await send(body, key)).text).not.toBe(first.text);
  });

  test('is refused when its key was used for another request', async () => {
    const key = newKey();
    await send(cardBody(), key);
    expect(await send(cardBody(), key)).toMatchObject({
      status: 400,
      json: { http_code: 400, error_message: 'The Idempotency-Key was used before for another request.' },
    });
  });

  test('may be corrected and sent again when it was refused', async () => {
    const key = newKey();
    const body = cardBody();
    expect((await send({ ...body, methods: ['no-such-method'] }, key)).status).toBe(400);
    expect((await send(body, key)).status).toBe(200);
  });

  test('needs a signature before its key is looked at', async () => {
    const [body, key] = [cardBody(), newKey()];
    await send(body, key);
    const unsigned = await send({ ...body, hash: '0'.repeat(40) }, key);
    expect(errorLines(unsigned.json)).toEqual(['hash: Hash is not valid.']);
  });

  test('does not meet the key of another merchant', async () => {
    const [body, key] = [cardBody(), newKey()];
    const theirs = { ...body, merchant_key: otherMerchant.key, hash: signSession(body.order, otherMerchant.password) };
    const [first, second] = [await send(body, key), await send(theirs, key)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).not.toBe(first.text);
  });

  test.each(['', 'a b', 'x'.repeat(256), 'é'])('is refused with the key %j', async (key) => {
    // A header without a value is one that is not there for fetch; the service sees an empty one.
    const answer = await send(cardBody(), key);
    expect(errorLines(answer.json)).toEqual(['Idempotency-Key: This value is not valid.']);
  });

  test('is handled once, however often it is sent at once', async () => {
    const [body, key] = [cardBody(), newKey()];
    const answers = await Promise.all(Array.from({ length: 64 }, () => send(body, key)));
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const { status, headers } of answers.filter(({ status: each }) => each !== 200))
      expect([status, headers.get('retry-after')]).toEqual([409, '1']);
    expect((await send(body, key)).text).toBe(done[0]?.text);
  });
});

describe('money that is moved with an Idempotency-Key', () => {
  async function paid(): Promise<string> {
    const number = await payByCard(service.url);
    const { fields } = await service.shop.until((each) => each.fields.order_number === number);
    return fields.id ?? '';
  }

  async function refund(payment_id: string, amount: string, key: string) {
    const hash = signRequest('refund', { payment_id, amount }, merchant.password);
    const reply = await fetch(`${service.url}/api/v1/payment/refund`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ merchant_key: merchant.key, payment_id, amount, hash }),
    });
    return { status: reply.status, text: await reply.text() };
  }

  test('is moved once, at once and after a minute', async () => {
    const [id, key] = [await paid(), newKey()];
    const answers = await Promise.all(Array.from({ length: 16 }, () => refund(id, '3.00', key)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    at += 60_000;
    expect(await refund(id, '3.00', key)).toEqual(done[0]);
    expect(service.provider.acts.ledger.filter(({ amount }) => amount === '3.00')).toHaveLength(1);
    // Another key is another refund.
    expect((await refund(id, '3.00', newKey())).status).toBe(200);
    expect(service.provider.acts.ledger.filter(({ amount }) => amount === '3.00')).toHaveLength(2);
  });

  test('is not moved for a key of another request', async () => {
    const [id, key] = [await paid(), newKey()];
    await refund(id, '1.00', key);
    expect((await refund(id, '2.00', key)).status).toBe(400);
    expect(service.provider.acts.ledger.filter(({ amount }) => amount === '2.00')).toEqual([]);
  });
});

describe('a request whose process died', () => {
  const database = useDatabase();

  /** A service whose store dies after or before it made the session. */
  function dying(made: boolean, clock = testClock()) {
    const given = { url: 'http://127.0.0.1:1', apiKey: 'k', webhookSecret: 's' };
    const { context } = serviceContext(database.db, pixConfig(given, 'http://127.0.0.1:1', 0), () =>
      clock.now().getTime(),
    );
    const { sessions } = context.stores;
    let alive = false;
    let die = () => {};
    const died = new Promise<void>((resolve) => (die = resolve));
    const stored = sessions.create.bind(sessions);
    sessions.create = async (session) => {
      const result = alive || made ? await stored(session) : undefined;
      if (alive && result !== undefined) return result;
      die();
      return new Promise(() => undefined);
    };
    return { context, clock, died, revive: () => (alive = true) };
  }

  test.each([true, false])('has one effect (the session was stored before: %j)', async (made) => {
    const { context, clock, died, revive } = dying(made);
    const text = JSON.stringify(sessionBody({ merchant_key: merchant.key }));
    void createSession.handle(context, text, 'key');
    // A second request that takes the key first would wait for the dead store: it is sent once the first has died.
    await died;
    expect((await createSession.handle(context, text, 'key')).status).toBe(409);
    const stored = () => database.db.selectFrom('sessions').select('id').execute();
    expect(await stored()).toHaveLength(made ? 1 : 0);
    revive();
    clock.advance(61_000);
    const second = await createSession.handle(context, text, 'key');
    expect(second).toMatchObject({ status: 200, body: { redirect_url: expect.any(String) } });
    const { body } = await createSession.handle(context, text, 'key');
    expect(body).toEqual(second.body);
    expect(await database.db.selectFrom('sessions').select('id').execute()).toHaveLength(1);
    // The page's token is stored nowhere, and what is stored is sealed.
    const [row] = await database.db.selectFrom('idempotencyKeys').selectAll().execute();
    expect(isSealed(row?.answerText ?? '')).toBe(true);
    const place = sealedAt.idempotencyAnswer(merchant.key, 'key');
    expect(context.sealer.open(row?.answerText ?? '', place)).toContain('/auth/{secret}');
  });

  test('is forgotten with its key after 24 hours', async () => {
    const { context, clock, revive } = dying(false);
    revive();
    await createSession.handle(context, JSON.stringify(sessionBody({ merchant_key: merchant.key })), 'key');
    clock.advance(24 * 3_600_000 - 1);
    expect(await context.stores.idempotency.forget()).toBe(0);
    clock.advance(1);
    expect(await context.stores.idempotency.forget()).toBe(1);
  });
});
