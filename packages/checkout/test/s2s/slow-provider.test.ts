import { type HttpRequest, kyTransport, type Transport } from '@railyard/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payoutFields, sendCommand, statusFields, toldCommand } from '../support/commands.ts';
import { pixConfig } from '../support/pix-config.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { startOn } from '../support/service.ts';

let provider: PixProvider;
let shop: Receiver;
let service: Awaited<ReturnType<typeof startOn>>;
const http = kyTransport();
/** What the next payout's call becomes. */
let fate: (request: HttpRequest) => ReturnType<Transport['send']> = (request) => http.send(request);

beforeAll(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  const transport: Transport = { send: (request) => (request.method === 'POST' ? fate(request) : http.send(request)) };
  service = await startOn((port) => ({ ...pixConfig(provider, shop.url, port), commandWaitSeconds: 0.2 }), {
    transport,
  });
});

afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close(), http.close()]);
});

test('a provider that takes longer than a command waits is answered for as undefined, and reported by callback', async () => {
  let answer: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (answer = resolve));
  fate = async (request) => {
    await released;
    return http.send(request);
  };
  const fields = payoutFields();
  const { status, json } = await sendCommand(service.url, fields);
  expect([status, json]).toMatchObject([200, { result: 'UNDEFINED', status: 'PREPARE' }]);
  expect(provider.ledger).toEqual([]);
  const trans_id = String(json['trans_id']);
  expect((await sendCommand(service.url, statusFields(trans_id))).json).toMatchObject({ status: 'PREPARE' });
  answer();
  expect(await toldCommand(shop, fields['order_id'], 'SETTLED')).toMatchObject({ result: 'SUCCESS', trans_id });
  expect(provider.ledger).toMatchObject([{ external_id: trans_id }]);
});

test('a call whose answer is lost is never reported as declined, and is paid once', async () => {
  provider.ledger.splice(0);
  fate = async (request) => {
    fate = (next) => http.send(next);
    await http.send(request);
    return { kind: 'lost', why: 'No complete reply in time.' };
  };
  const fields = payoutFields();
  expect((await sendCommand(service.url, fields)).json).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
  await toldCommand(shop, fields['order_id'], 'SETTLED');
  expect(provider.ledger).toHaveLength(1);
  const told = shop.received.filter((each) => each.fields['order_id'] === fields['order_id']);
  expect(told.map((each) => each.fields['result'])).not.toContain('DECLINED');
});
