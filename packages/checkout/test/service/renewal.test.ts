import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadSession } from '../../src/http/page/load-session.ts';
import { startPayment } from '../../src/payments/pay.ts';
import { renew } from '../../src/payments/runs/again.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { useDatabase } from '../support/database.ts';
import { type LedgerEntry, pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { serviceContext } from '../support/service-context.ts';
import { createPage, pixConfig, pressPay, sessionBody, startService } from '../support/service.ts';

const MINUTE = 60_000;
let at = Date.parse('2026-11-21T12:00:00Z');
let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  provider = await pixProvider();
  shop = await receiver();
  service = await startService(provider, `${shop.url}/callbacks`, { clock: () => at });
});

beforeEach(() => {
  provider.renews = true;
  provider.lifetimeMs = 5 * MINUTE;
  provider.clock = () => at;
});

afterAll(async () => {
  await service.stop();
  await shop.close();
  await provider.close();
});

const pressRenew = (page: string) => fetch(`${page}/renew`, { method: 'POST', redirect: 'manual' });

/** A payment whose code was renewed so often, each time when it had expired; its codes, oldest first. */
async function renewed(times: number, change: Readonly<Record<string, unknown>> = {}) {
  const body = sessionBody(change);
  const page = await createPage(service.url, body);
  const before = provider.ledger.length;
  await pressPay(page);
  for (let time = 0; time < times; time += 1) {
    at += 5 * MINUTE;
    expect((await pressRenew(page)).status).toBe(303);
  }
  return { page, number: body.order.number, codes: codesOf(before) };
}

/** The codes that were made since the ledger was so long. */
const codesOf = (before: number) => provider.ledger.slice(before);

async function tell(code: LedgerEntry | undefined, status: string): Promise<void> {
  if (code === undefined) throw new Error('There is no such code.');
  code.status = status;
  expect(await provider.notify(service.notifyUrl, code, { at })).toBe(204);
}

const shown = async (page: string) => (await fetch(page)).text();
const told = (number: string) =>
  shop.received.filter(({ fields }) => fields.order_number === number).map(({ fields }) => fields.order_status);

describe('a renewed code', () => {
  test('takes the place of the old one on the page', async () => {
    const { page, codes } = await renewed(2);
    expect(codes).toHaveLength(3);
    const text = await shown(page);
    expect(codes.map((code) => text.includes(code.code))).toEqual([false, false, true]);
  });

  test('outlives the expiry of the old one', async () => {
    const { page, codes } = await renewed(1);
    await tell(codes[0], 'EXPIRED');
    expect(await shown(page)).toContain(codes[1]?.code);
  });

  test('leaves the old one watched: paid after all, it settles the payment once', async () => {
    const { number, codes } = await renewed(2);
    await tell(codes[0], 'PAID');
    await shop.until(({ fields }) => fields.order_number === number && fields.order_status === 'settled');
    await tell(codes[1], 'EXPIRED');
    await tell(codes[2], 'PAID');
    expect(told(number)).toEqual(['pending', 'settled']);
    expect(service.lines.some((line) => line.includes('Paid twice'))).toBe(true);
  });

  test('that the provider refuses leaves the payment as it is', async () => {
    provider.renews = false;
    const { page, number, codes } = await renewed(1);
    expect(codes).toHaveLength(1);
    expect(await shown(page)).toContain(codes[0]?.code);
    await tell(codes[0], 'PAID');
    await shop.until(({ fields }) => fields.order_number === number && fields.order_status === 'settled');
  });
});

describe('no code is renewed', () => {
  /** How many codes are made by the buttons pressed at once. */
  async function made(page: string, presses = 1): Promise<number> {
    const before = provider.ledger.length;
    const answers = await Promise.all(Array.from({ length: presses }, () => pressRenew(page)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    return provider.ledger.length - before;
  }

  test('while it can still be paid', async () => {
    const { page } = await renewed(0);
    at += 4 * MINUTE;
    expect(await made(page)).toBe(0);
    at += MINUTE - 2000;
    expect(await made(page)).toBe(1);
  });

  test('that has no end', async () => {
    provider.lifetimeMs = undefined;
    const { page } = await renewed(0);
    at += 10 * MINUTE;
    expect(await made(page)).toBe(0);
  });

  test('twice by ten clicks at once', async () => {
    const { page } = await renewed(0);
    at += 5 * MINUTE;
    expect(await made(page, 10)).toBe(1);
    expect(await made(page, 10)).toBe(0);
  });

  test('after the end of its session', async () => {
    const { page } = await renewed(0, { session_expiry: 5 });
    at += 5 * MINUTE;
    expect(await made(page)).toBe(0);
  });

  test('of a payment whose outcome is unknown', async () => {
    const { page, codes } = await renewed(0);
    await tell(codes[0], 'SOMETHING_NEW');
    at += 5 * MINUTE;
    expect(await made(page)).toBe(0);
  });

  test('of a payment that was declined', async () => {
    const { page, codes } = await renewed(0);
    at += 5 * MINUTE;
    await tell(codes[0], 'EXPIRED');
    expect(await made(page)).toBe(0);
  });
});

describe('who read the payment before another renewed it', () => {
  const database = useDatabase();

  /** An expired code, as it was read before anybody renewed it. */
  async function expired() {
    const { context, close } = serviceContext(database.db, pixConfig(provider, shop.url, 0), () => at);
    const created = await createSession.handle(context, JSON.stringify(sessionBody()));
    const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
    const { session } = (await loadSession(context, token)) ?? {};
    if (session === undefined) throw new Error('There is no session.');
    const started = await startPayment(context, session, { methodKey: 'pix', answers: {}, ip: undefined });
    const payment = started.kind === 'started' ? await context.stores.payments.find(started.paymentId) : undefined;
    if (payment === undefined) throw new Error('The payment did not start.');
    at += 5 * MINUTE;
    const before = provider.ledger.length;
    const press = () => renew(context, session, payment);
    const unfinished = async () =>
      (await context.stores.runs.ofPayment(payment.id)).filter(({ state }) => state !== 'finished');
    return { press, made: () => provider.ledger.length - before, unfinished, close };
  }

  test('at the same moment makes no second code', async () => {
    const { press, made, unfinished, close } = await expired();
    await Promise.all([press(), press(), press()]);
    expect(made()).toBe(1);
    expect(await unfinished()).toEqual([]);
    await close();
  });

  test('and comes when that has ended makes no second code', async () => {
    const { press, made, unfinished, close } = await expired();
    await press();
    await press();
    expect(made()).toBe(1);
    expect(await unfinished()).toEqual([]);
    await close();
  });
});
