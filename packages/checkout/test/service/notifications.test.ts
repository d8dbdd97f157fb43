import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LedgerEntry, pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startService } from '../support/service.ts';

let at = Date.now();
let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  provider = await pixProvider();
  shop = await receiver();
  service = await startService(provider, shop.url, { clock: () => at });
});

afterAll(async () => {
  await service.stop();
  await shop.close();
  await provider.close();
});

beforeEach(() => {
  provider.beforeReply = () => true;
});

const told = (number: string, status: string) =>
  shop.until(({ fields }) => fields.order_number === number && fields.status === status);

async function started(): Promise<{ number: string; charge: LedgerEntry }> {
  const body = sessionBody();
  await pressPay(await createPage(service.url, body));
  const charge = provider.ledger.at(-1);
  if (charge === undefined) throw new Error('The provider was not called.');
  return { number: body.order.number, charge };
}

function notify(charge: LedgerEntry, status: string): Promise<number> {
  return provider.notify(service.notifyUrl, { ...charge, status }, { at });
}

/** Lines about notifications for an operator. */
const attention = () =>
  service.lines.filter((line) => line.includes('"needs-attention"') && line.includes('"notification"'));

/** Signed as the provider signs, whatever the body is. */
async function signed(body: string, { method = 'POST', below = '' } = {}): Promise<number> {
  const seconds = String(Math.floor(at / 1000));
  const signature = createHmac('sha256', provider.webhookSecret).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'x-timestamp': seconds, 'x-signature': `sha256=${signature}` };
  return (await fetch(service.notifyUrl + below, { method, headers, body })).status;
}

/** The status of a POST to a path that is sent as it is. */
async function posted(path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(service.url);
  const [answer] = await once(request({ hostname, port, path, method: 'POST' }).end('{}'), 'response');
  if (!(answer instanceof IncomingMessage)) throw new Error('There is no answer.');
  answer.resume();
  return answer.statusCode;
}

describe('a notification', () => {
  test('of 10 MB is refused', async () => {
    expect(await signed('x'.repeat(10_000_000))).toBe(413);
  });

  test('for a MID that does not exist finds nothing', async () => {
    for (const path of ['/notify/nobody', '/notify/', '/notify/nobody/more', '/notify/__proto__'])
      expect((await fetch(service.url + path, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test.each([
    { method: 'PUT', below: '' },
    { method: 'POST', below: '/pix' },
    { method: 'POST', below: '/a/b?c=d' },
  ])('by $method at "$below" is verified and applied like a POST', async (way) => {
    expect(await signed('{}', way)).toBe(204);
    expect((await fetch(service.notifyUrl + way.below, { method: way.method, body: '{}' })).status).toBe(401);
  });

  test('by another method is refused with the methods that are taken', async () => {
    const answer = await fetch(service.notifyUrl, { method: 'DELETE' });
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'POST, PUT, GET',
    });
  });

  test('by HEAD is refused, because it carries none', async () => {
    const answer = await fetch(`${service.notifyUrl}/pix`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, PUT, GET']);
  });

  // Not by fetch, which takes such steps itself before it sends.
  test.each([
    ['/notify/pix-main/../pix-other', 404],
    ['/notify/pix-main/%2e%2e/pix-other', 404],
    ['/notify/pix-main/../../health', 404],
    ['/notify/pix-main/%ff', 401],
    ['/notify/%ff', 404],
    ['/notify/pix-main//a', 401],
    ['/notify/pix%2Dmain/a%2Fb', 401],
  ])('to %s is answered with %i', async (path, status) => {
    expect(await posted(path)).toBe(status);
  });

  test.each(['', '{}', '[]', 'null', '{"event_id":1}', '<xml/>', '\u0000', '{"event_id":"e","data":{"id":"x"}}'])(
    'that is signed and not understood (%j) is acknowledged, and reported to the operator at once',
    async (body) => {
      const before = attention().length;
      expect(await signed(body)).toBe(204);
      expect(attention()).toHaveLength(before + 1);
    },
  );

  test('without a signature is refused, whatever it holds', async () => {
    const { charge } = await started();
    const body = JSON.stringify({ event_id: 'e', data: { ...charge, status: 'PAID' } });
    expect((await fetch(service.notifyUrl, { method: 'POST', body })).status).toBe(401);
  });
});

/** A contradiction leads to a lookup within this time, in milliseconds. */
const SOON = 2000;

describe('a success after a decline', () => {
  test('is believed when the provider says so on being asked', async () => {
    const { number, charge } = await started();
    expect(await notify(charge, 'REJECTED')).toBe(204);
    await told(number, 'fail');
    charge.status = 'PAID';
    expect(await notify(charge, 'PAID')).toBe(204);
    at += SOON;
    expect((await told(number, 'success')).fields.order_status).toBe('settled');
  });

  test('changes nothing when the provider says that it stays declined', async () => {
    const { number, charge } = await started();
    charge.status = 'REJECTED';
    await notify(charge, 'REJECTED');
    await told(number, 'fail');
    const lookups = () => service.lines.filter((line) => line.includes('get-charge')).length;
    const before = lookups();
    expect(await notify(charge, 'PAID')).toBe(204);
    at += SOON;
    await expect.poll(lookups).toBeGreaterThan(before);
    const { number: later, charge: other } = await started();
    await notify(other, 'REJECTED');
    await told(later, 'fail');
    expect(shop.received.filter(({ fields }) => fields.order_number === number && fields.status === 'success')).toEqual(
      [],
    );
  });
});

test('a decline after a success changes nothing', async () => {
  const { number, charge } = await started();
  charge.status = 'PAID';
  await notify(charge, 'PAID');
  await told(number, 'success');
  expect(await notify(charge, 'REJECTED')).toBe(204);
  const { number: later, charge: other } = await started();
  await notify(other, 'REJECTED');
  await told(later, 'fail');
  expect(shop.received.filter(({ fields }) => fields.order_number === number && fields.status === 'fail')).toEqual([]);
});

test('a notification for a payment that is not known yet is kept, and applied once the payment is known', async () => {
  const body = sessionBody();
  const page = await createPage(service.url, body);
  const early = {
    id: 'early',
    external_id: randomUUID(),
    kind: 'charge',
    amount: '10.00',
    code: '',
    status: 'PAID',
  } as const;
  expect(await notify(early, 'PAID')).toBe(204);
  provider.nextId = early.id;
  await pressPay(page);
  await told(body.order.number, 'waiting');
  at += 6000;
  expect((await told(body.order.number, 'success')).fields.order_status).toBe('settled');
  // The provider was not asked: what settled the payment is the notification.
  expect(service.lines.filter((line) => line.includes('get-charge') && line.includes('"early"'))).toEqual([]);
});
