import { randomUUID } from 'node:crypto';
import { acquirerConnector } from '@railyard/connector-card';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  account,
  acquirerService,
  type AcquirerService,
  payOrder,
  startMandate,
  told,
} from '../support/acquirer-service.ts';
import { cardBody, payByCard } from '../support/card-service.ts';
import { lateProxy } from '../support/late-proxy.ts';
import { createPage } from '../support/service.ts';

const BUSY = 'The payment provider is busy. Please try again in a moment.';

let at = Date.now();
let proxy: Awaited<ReturnType<typeof lateProxy>>;
let service: AcquirerService;
/** How many effects the provider had before, and lines the log. */
let before = 0;
let logged = 0;
/** The times at which the provider turned a request away or let it through, by the end of its path. */
let asked: { readonly path: string; readonly at: number }[] = [];

beforeAll(async () => {
  proxy = await lateProxy();
  service = await acquirerService(
    {},
    (settings) => {
      proxy.state.target = String(settings['base_url']);
      return [account('cards', { ...settings, base_url: proxy.url })];
    },
    { clock: () => at, monotonic: () => at },
  );
  service.simulator.setRule({ connector: acquirerConnector.id, notifications: 'none' });
});

beforeEach(() => {
  proxy.show();
  Object.assign(proxy.state, { takesLate: () => false, turnsAway: () => undefined });
  before = service.simulator.ledger().length;
  logged = service.lines.length;
  asked = [];
});

afterAll(async () => {
  await service.stop();
  await proxy.close();
});

/** The next requests to a path are answered so, as many as there are answers. */
function turnAway(
  method: string,
  path: string,
  ...answers: readonly (readonly [status: number, retryAfter: string])[]
) {
  const left = [...answers];
  proxy.state.turnsAway = (by, to) => {
    if (by !== method || !to.includes(path)) return undefined;
    asked.push({ path: to, at });
    const next = left.shift();
    return next && { status: next[0], headers: { 'retry-after': next[1] }, body: { code: 'slow_down' } };
  };
}

const amounts = (effect: string) =>
  service.simulator
    .ledger()
    .slice(before)
    .filter((entry) => entry.effect === effect)
    .map(({ amount }) => amount);

const callbacksOf = (number: string) =>
  service.shop.received
    .filter(({ fields }) => fields.order_number === number)
    .map(({ fields }) => `${String(fields.type)} ${String(fields.status)}`);

const alarms = () => service.lines.slice(logged).filter((line) => line.includes('needs-attention'));

/** Time goes on until something has happened. */
async function passes(step: number, hasHappened: () => boolean): Promise<void> {
  const look = () => {
    if (hasHappened()) return true;
    at += step;
    return false;
  };
  await expect.poll(look, { interval: 20 }).toBe(true);
}

/** Time goes on until the merchant is called back. */
async function becomes(number: string, fits: Readonly<Record<string, string>>, step = 500): Promise<void> {
  let isTold = false;
  const telling = told(service, number, fits).then(() => (isTold = true));
  await passes(step, () => isTold);
  await telling;
}

const pageText = async (page: string) => (await fetch(page)).text();

describe('a provider that answers 429 with Retry-After', () => {
  test('of seconds lets a payment wait that is then charged once', async () => {
    const body = cardBody();
    const page = await createPage(service.url, body);
    turnAway('POST', '/v1/sales', [429, '2'], [429, '4']);
    await payByCard(page);
    expect(await pageText(page)).toContain('Checking your payment');
    await becomes(body.order.number, { order_status: 'settled' });
    expect(amounts('charge')).toEqual(['10.00']);
    const [first = 0, second = 0, third = 0] = asked.map((each) => each.at);
    expect([second - first >= 2000, third - second >= 4000]).toEqual([true, true]);
    expect(callbacksOf(body.order.number)).toEqual(['sale success']);
    expect(alarms()).toEqual([]);
  });

  test('of a minute has the payer press the button again, with no attempt used up', async () => {
    const body = cardBody();
    const page = await createPage(service.url, body);
    turnAway('POST', '/v1/sales', [429, '60'], [429, '60']);
    await payByCard(page);
    const answer = () =>
      fetch(`${page}/answer`, { method: 'POST', body: new URLSearchParams({ step: 'provider:busy' }) });
    for (let again = 0; again < 2; again += 1) {
      const text = await pageText(page);
      expect(text).toContain(BUSY);
      expect(text).toContain('Try again');
      expect(text).not.toContain('You can try');
      await answer();
    }
    await becomes(body.order.number, { order_status: 'settled' });
    expect(amounts('charge')).toEqual(['10.00']);
    expect(await pageText(page)).toContain('success?a=1');
    expect(callbacksOf(body.order.number)).toEqual(['sale success']);
    expect(alarms()).toEqual([]);
  });

  test('and a payer who goes another way: nothing was sent, and one payment is charged', async () => {
    const body = cardBody();
    const page = await createPage(service.url, body);
    turnAway('POST', '/v1/sales', [429, '60']);
    await payByCard(page);
    await fetch(`${page}/change`, { method: 'POST', redirect: 'manual' });
    expect((await payByCard(page)).status).toBe(303);
    await becomes(body.order.number, { order_status: 'settled' });
    at += 3_600_000;
    expect(amounts('charge')).toEqual(['10.00']);
  });

  test('to a repeat leaves the first send in doubt until a lookup shows it', async () => {
    const body = cardBody();
    const page = await createPage(service.url, body);
    proxy.state.takesLate = (path) => path.endsWith('/v1/sales');
    Object.assign(proxy.state, { refusal: { status: 429, headers: { 'retry-after': '5' }, body: {} }, refused: 0 });
    await payByCard(page);
    await told(service, body.order.number, { status: 'undefined' });
    await passes(1000, () => proxy.state.refused > 1);
    expect(await pageText(page)).not.toContain(BUSY);
    proxy.show();
    await becomes(body.order.number, { order_status: 'settled' });
    expect(amounts('charge')).toEqual(['10.00']);
    expect(callbacksOf(body.order.number)).not.toContain('sale fail');
  });

  test.each([
    ['refund', '/refunds', {}, '6.00'],
    ['capture', '/captures', { auth: true }, '10.00'],
  ] as const)('lets a %s wait that is then made once', async (type, path, change, amount) => {
    const number = await payOrder(service, change);
    const { id = '' } = await told(service, number, { order_status: type === 'refund' ? 'settled' : 'pending' });
    turnAway('POST', path, [429, '30'], [429, '3600']);
    const asking = at;
    await service[type](id, amount);
    await becomes(number, { type, status: 'success' }, 20_000);
    expect(amounts(type)).toEqual([amount]);
    const [first = 0, second = 0, third = 0] = asked.map((each) => each.at);
    expect([first - asking < 30_000, second - first >= 30_000, third - second >= 3_600_000]).toEqual([
      true,
      true,
      true,
    ]);
    expect(callbacksOf(number).filter((each) => each.startsWith(type))).toEqual([`${type} success`]);
    expect(alarms()).toEqual([]);
  });

  test('lets a payout and a later charge wait, whose payer is away', async () => {
    const { mandate } = await startMandate(service);
    turnAway('POST', '/v1/', [429, '30']);
    const order = { order_amount: '25.00', order_currency: 'USD', order_description: 'Affiliate payout' };
    const payout = `payout-${randomUUID()}`;
    const payee = { card_number: '4601541833776519', payee_first_name: 'Jane', payee_last_name: 'Roe' };
    await service.credit({ ...order, order_id: payout }, payee);
    await becomes(payout, { order_status: 'settled' }, 2000);
    turnAway('POST', '/v1/', [429, '30']);
    const charge = `charge-${randomUUID()}`;
    await service.recurring(mandate, { number: charge, amount: '7.00', description: 'A month' });
    await becomes(charge, { order_status: 'settled' }, 2000);
    expect([amounts('payout'), amounts('charge')]).toEqual([['25.00'], ['10.00', '7.00']]);
    expect([...callbacksOf(payout), ...callbacksOf(charge)].filter((each) => !each.endsWith(' success'))).toEqual([]);
    expect(alarms()).toEqual([]);
  });

  test('at every send ends a later charge as declined with its session', async () => {
    const charge = `charge-${randomUUID()}`;
    const { mandate } = await startMandate(service);
    turnAway('POST', '/v1/', ...Array.from({ length: 20 }, () => [429, '1800'] as const));
    await service.recurring(mandate, { number: charge, amount: '7.00', description: 'A month' });
    await becomes(charge, { status: 'fail' }, 60_000);
    expect(amounts('charge')).toEqual(['10.00']);
    expect(asked.length).toBeLessThan(5);
  });
});

describe('Retry-After of a provider whose reply leaves a doubt', () => {
  test.each([
    ['a lookup that is answered 429', '429', 'GET'],
    ['a charge that is answered 503', '503', 'POST'],
  ] as const)('is heeded by the lookups: %s', async (_what, status, method) => {
    const body = cardBody();
    const page = await createPage(service.url, body);
    let charged = 0;
    let first: number | undefined;
    const lookups: number[] = [];
    proxy.state.takesLate = (path) => method === 'GET' && path.endsWith('/v1/sales') && (charged += 1) === 1;
    proxy.state.turnsAway = (by, path) => {
      const isCharge = by === 'POST' && path.endsWith('/v1/sales');
      if (by === 'GET') lookups.push(at);
      const answers = method === 'GET' ? by === 'GET' : isCharge;
      if (!answers || first !== undefined) return undefined;
      first = at;
      return { status: Number(status), headers: { 'retry-after': '900' }, body: {} };
    };
    await payByCard(page);
    await told(service, body.order.number, { status: 'undefined' });
    await passes(10_000, () => lookups.length > (method === 'GET' ? 1 : 0));
    const next = lookups.find((each) => each > (first ?? 0)) ?? 0;
    expect(next - (first ?? 0)).toBeGreaterThanOrEqual(900_000);
    proxy.show();
    await becomes(body.order.number, { order_status: 'settled' }, 60_000);
    expect(amounts('charge')).toEqual(['10.00']);
  });
});
