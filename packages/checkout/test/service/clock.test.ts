import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, post, pressPay, sessionBody, startService } from '../support/service.ts';

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

afterAll(async () => {
  await service.stop();
  await shop.close();
  await provider.close();
});

const shown = async (page: string) => (await fetch(page)).text();

describe('a session', () => {
  test('whose time is over leads the payer to expiry_url and takes no payment', async () => {
    const page = await createPage(service.url, sessionBody({ session_expiry: '1' }));
    expect(await shown(page)).not.toContain('https://shop.example/expiry');
    at += MINUTE + 1;
    expect(await shown(page)).toContain('https://shop.example/expiry');
    const before = provider.ledger.length;
    await pressPay(page);
    expect(provider.ledger).toHaveLength(before);
  });

  test('whose code is paid after its time is settled and called back', async () => {
    const body = sessionBody({ session_expiry: 1 });
    const page = await createPage(service.url, body);
    await pressPay(page);
    at += 5 * MINUTE;
    expect(await shown(page)).toContain('https://shop.example/expiry');
    const charge = provider.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'PAID';
    expect(await provider.notify(service.notifyUrl, charge, { at })).toBe(204);
    await shop.until(({ fields }) => fields.order_number === body.order.number && fields.order_status === 'settled');
    expect(await shown(page)).toContain('https://shop.example/success');
  });

  test('whose code expires at the provider after its time leads to expiry_url, not to cancel_url', async () => {
    const page = await createPage(service.url, sessionBody({ session_expiry: 1 }));
    await pressPay(page);
    at += MINUTE;
    const charge = provider.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'EXPIRED';
    expect(await provider.notify(service.notifyUrl, charge, { at })).toBe(204);
    const text = await shown(page);
    expect(text).toContain('https://shop.example/expiry');
    expect(text).not.toContain('https://shop.example/cancel');
    expect(await shown(`${page}?again=1`)).toContain('https://shop.example/expiry');
  });

  test('whose code expires at the provider before its time is declined and may be tried again', async () => {
    const page = await createPage(service.url, sessionBody({ session_expiry: 1 }));
    await pressPay(page);
    const charge = provider.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'EXPIRED';
    expect(await provider.notify(service.notifyUrl, charge, { at })).toBe(204);
    expect(await shown(page)).toContain('?again=1');
    at += MINUTE;
    expect(await shown(page)).toContain('https://shop.example/expiry');
  });

  test('that the payer closes leads to cancel_url, without return parameters', async () => {
    const page = await createPage(service.url, sessionBody());
    const closed = await fetch(`${page}/cancel`, { method: 'POST', redirect: 'manual' });
    expect(closed.status).toBe(303);
    expect(await shown(page)).toMatch(/https:\/\/shop\.example\/cancel["']/);
    const before = provider.ledger.length;
    await pressPay(page);
    expect(provider.ledger).toHaveLength(before);
  });

  test('with an order number of 14.9 seconds ago is a duplicate, of 15.1 seconds ago a new one', async () => {
    const body = sessionBody();
    const create = async () => (await post(`${service.url}/api/v1/session`, body)).status;
    const answers = [await create()];
    for (const wait of [14_900, 200]) {
      at += wait;
      answers.push(await create());
    }
    expect(answers).toEqual([200, 400, 200]);
  });
});

describe('an unknown outcome', () => {
  test('is shown as being checked, reported as undefined, and settled by a lookup', async () => {
    const body = sessionBody();
    const page = await createPage(service.url, body);
    provider.payoutStatus = 'PAID';
    provider.beforeReply = (entry) => {
      entry.status = 'SOMETHING_NEW';
      return true;
    };
    await pressPay(page);
    provider.beforeReply = () => true;
    await shop.until(({ fields }) => fields.order_number === body.order.number && fields.status === 'undefined');
    expect(await shown(page)).not.toMatch(/declined|failed/i);
    const charge = provider.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'PAID';
    at += MINUTE;
    await shop.until(({ fields }) => fields.order_number === body.order.number && fields.order_status === 'settled');
    expect(provider.ledger.filter((entry) => entry.external_id === charge.external_id)).toHaveLength(1);
  });
});
