import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { collectionConfig } from '../support/collection-config.ts';
import { listen, type Listening } from '../support/listen.ts';
import { receiver } from '../support/receiver.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { createPage, pressPay, sessionBody, startOn, startService } from '../support/service.ts';

let shop: Awaited<ReturnType<typeof receiver>>;

beforeEach(async () => {
  shop = await receiver();
});

afterEach(() => shop.close());

const told = (number: string, status: string) =>
  shop.until(({ fields }) => fields.order_number === number && fields.status === status);

describe('a provider', () => {
  let provider: PixProvider;
  let service: Awaited<ReturnType<typeof startService>>;
  let at = Date.parse('2026-11-21T12:00:00Z');

  beforeEach(async () => {
    provider = await pixProvider();
    service = await startService(provider, shop.url, { clock: () => at });
  });

  afterEach(async () => {
    await service.stop();
    await provider.close();
  });

  test('that answers the reference of another payment leaves the second one unknown, and an operator is notified', async () => {
    await pressPay(await createPage(service.url, sessionBody()));
    const [first] = provider.ledger;
    provider.nextId = first?.id;
    const body = sessionBody();
    const page = await createPage(service.url, body);
    expect((await pressPay(page)).status).toBe(303);
    await told(body.order.number, 'undefined');
    expect(service.lines.some((line) => line.includes('needs-attention'))).toBe(true);
  });

  test('that names another amount when it is asked settles nothing, and an operator is notified', async () => {
    const body = sessionBody();
    const page = await createPage(service.url, body);
    await pressPay(page);
    const [charge] = provider.ledger;
    if (charge === undefined) throw new Error('The provider was not called.');
    provider.ledger[0] = { ...charge, amount: '15.00', status: 'PAID' };
    at += 3_600_000;
    await expect.poll(() => service.lines.filter((line) => line.includes('quarantined')).length).toBeGreaterThan(0);
    expect(shop.received.some(({ fields }) => fields.order_status === 'settled')).toBe(false);
  });
});

describe('unsigned notifications', () => {
  test('however many lead to one lookup a second', async () => {
    let at = Date.parse('2026-11-21T12:00:00Z');
    let asked = 0;
    const provider: Listening = await listen((request, _body, response) => {
      if (request.method === 'GET') asked += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'col-1', status: 'PENDING', amount: '10.00', currency: 'BRL' }));
    });
    const service = await startOn((port) => collectionConfig(provider.url, shop.url, port), { clock: () => at });
    try {
      await pressPay(await createPage(service.url, sessionBody({ methods: ['pix-collection'] })), {
        method: 'pix-collection',
      });
      const hint = (id: string) =>
        fetch(`${service.url}/notify/collection`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id, reference: `r${id}`, status: 'PAID', amount: '10.00', currency: 'BRL' }),
        });
      // Anybody can send one, with whatever a database cannot hold.
      expect((await hint('col\0')).status).toBe(200);
      const answers = await Promise.all(Array.from({ length: 50 }, () => hint('col-1')));
      expect(new Set(answers.map((each) => each.status))).toEqual(new Set([200]));
      expect(asked).toBe(0);
      at += 1001;
      await expect.poll(() => asked).toBe(1);
    } finally {
      await service.stop();
      await provider.close();
    }
  });
});
