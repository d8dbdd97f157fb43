import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LedgerEntry, pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startService } from '../support/service.ts';

let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  provider = await pixProvider();
  shop = await receiver();
  service = await startService(provider, `${shop.url}/callbacks`);
}, 60_000);

beforeEach(() => {
  provider.renews = true;
});

afterAll(async () => {
  await service.stop();
  await shop.close();
  await provider.close();
});

/** A payment whose code was renewed so often; its codes, oldest first. */
async function renewed(times: number) {
  const body = sessionBody();
  const page = await createPage(service.url, body);
  const before = provider.ledger.length;
  await pressPay(page);
  for (let time = 0; time < times; time += 1)
    expect((await fetch(`${page}/renew`, { method: 'POST', redirect: 'manual' })).status).toBe(303);
  return { page, number: body.order.number, codes: provider.ledger.slice(before) };
}

async function tell(code: LedgerEntry | undefined, status: string): Promise<void> {
  if (code === undefined) throw new Error('There is no such code.');
  code.status = status;
  expect(await provider.notify(service.notifyUrl, code)).toBe(204);
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
