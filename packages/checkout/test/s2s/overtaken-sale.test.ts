import { type HttpRequest, kyTransport, type Transport } from '@railyard/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apmSaleFields } from '../support/apm-commands.ts';
import { sendCommand, toldCommand } from '../support/commands.ts';
import { pixConfig } from '../support/pix-config.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { startOn } from '../support/service.ts';

let provider: PixProvider;
let shop: Receiver;
let service: Awaited<ReturnType<typeof startOn>>;
const http = kyTransport();
/** Called when the provider has made the charge, before its reply reaches the service. */
let beforeReply: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  const transport: Transport = {
    async send(request: HttpRequest) {
      const reply = await http.send(request);
      if (request.method === 'POST') await beforeReply();
      return reply;
    },
  };
  service = await startOn((port) => pixConfig(provider, shop.url, port), { transport });
});

afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close(), http.close()]);
});

test('a sale that a notification settles before the provider replies is answered as settled', async () => {
  const fields = apmSaleFields();
  const order = fields['order_id'];
  beforeReply = async () => {
    const entry = provider.ledger.at(-1) ?? expect.fail();
    entry.status = 'PAID';
    expect(await provider.notify(`${service.url}/notify/pix-main`, entry)).toBe(204);
    await toldCommand(shop, order, 'SETTLED');
  };
  const { json } = await sendCommand(service.url, fields, {}, '/post-va');
  expect(json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  expect(json['redirect_params']).toBeUndefined();
  const told = shop.received.filter((each) => each.fields['order_id'] === order);
  expect(told.map((each) => each.fields['status'])).toEqual(['SETTLED']);
});
