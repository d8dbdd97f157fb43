import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payoutFields, sendCommand, statusFields, toldCommand } from '../support/commands.ts';
import { testKeyAt } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { createPage, merchant, pixConfig, post, pressPay, sessionBody, startOn, trial } from '../support/service.ts';

let provider: PixProvider;
let live: Receiver;
let tests: Receiver;
let service: Awaited<ReturnType<typeof startOn>>;

beforeAll(async () => {
  [provider, live, tests] = await Promise.all([pixProvider(), receiver(), receiver()]);
  service = await startOn((port) => {
    const config = pixConfig(provider, live.url, port);
    return { ...config, merchants: config.merchants.map((own) => ({ ...own, test: testKeyAt(tests.url) })) };
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), live.close(), tests.close()]);
});

describe.each([
  { name: 'the test key', signer: trial, said: true, own: () => tests, other: () => live },
  { name: 'the live key', signer: merchant, said: undefined, own: () => live, other: () => tests },
])('with $name', ({ signer, said, own, other }) => {
  const inForms = said === undefined ? undefined : String(said);

  test('callbacks and the status of a payment say whether it is a test, and its callbacks go to the address of that key', async () => {
    const body = sessionBody({ merchant_key: signer.key });
    const { number } = body.order;
    await pressPay(await createPage(service.url, body));
    const charge = provider.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'PAID';
    await provider.notify(`${service.url}/notify/pix-main`, charge);
    const { fields, signed } = await own().until(
      (each) => each.fields['order_number'] === number && each.fields['status'] === 'success',
    );
    expect({ test: fields['test'], signed }).toEqual({ test: inForms, signed: true });
    expect(other().received.filter((each) => each.fields['order_number'] === number)).toEqual([]);
    const payment_id = fields['id'] ?? '';
    const hash = signRequest('status_by_payment', { payment_id }, signer.password);
    const asked = { merchant_key: signer.key, payment_id, hash };
    const { json } = await post(`${service.url}/api/v1/payment/status`, asked);
    expect(json).toMatchObject({ status: 'settled' });
    expect(Reflect.get(Object(json), 'test')).toBe(said);
  });

  test('the answers and the callback of a command say whether it is a test', async () => {
    const sent = payoutFields({}, signer);
    const paid = await sendCommand(service.url, sent);
    expect([paid.json['status'], paid.json['test']]).toEqual(['SETTLED', said]);
    const found = await sendCommand(service.url, statusFields(String(paid.json['trans_id']), signer));
    expect([found.json['status'], found.json['test']]).toEqual(['SETTLED', said]);
    const callback = await toldCommand(own(), sent['order_id'], 'SETTLED');
    expect(callback['test']).toBe(inForms);
    expect(other().received.filter(({ fields }) => fields['order_id'] === sent['order_id'])).toEqual([]);
  });
});
