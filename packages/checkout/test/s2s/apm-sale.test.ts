import { signCallbackFields } from '@railyard/core/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apmSaleFields } from '../support/apm-commands.ts';
import { type Fields, refusalLines, sendCommand, statusFields, toldCommand } from '../support/commands.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { merchant, startService } from '../support/service.ts';

let provider: PixProvider;
let shop: Receiver;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  service = await startService(provider, shop.url);
});

afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close()]);
});

test.each(['/post-va', '/post'])(
  '%s: a sale answers with the code to draw, and is settled by a notification',
  async (path) => {
    const fields = apmSaleFields();
    const { status, json } = await sendCommand(service.url, fields, {}, path);
    expect([status, json]).toMatchObject([
      200,
      { action: 'SALE', result: 'REDIRECT', status: 'REDIRECT', amount: '10.00' },
    ]);
    const { qr_code } = Object(json['redirect_params']);
    expect(Buffer.from(qr_code, 'base64').toString()).toMatch(/^0002/);
    const first = await toldCommand(shop, fields['order_id'], 'REDIRECT');
    expect(first['redirect_params[qr_code]']).toBe(qr_code);
    const entry = provider.ledger.find(({ external_id }) => external_id === json['trans_id']);
    if (entry === undefined) throw new Error('Nothing was asked for.');
    entry.status = 'PAID';
    expect(await provider.notify(service.notifyUrl, entry)).toBe(204);
    const callback = await toldCommand(shop, fields['order_id'], 'SETTLED');
    expect(callback).toMatchObject({ action: 'SALE', result: 'SUCCESS', amount: '10.00', currency: 'BRL' });
    expect(callback['hash']).toBe(signCallbackFields(callback, merchant.password));
    const found = await sendCommand(service.url, statusFields(String(json['trans_id'])), {}, path);
    expect(found.json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  },
);

test('a sale is refused by name of what is wrong', async () => {
  const lines = async (change: Fields) =>
    refusalLines(await sendCommand(service.url, apmSaleFields(change), {}, '/post-va'));
  expect(await lines({ brand: 'other' })).toEqual(['brand: The value you selected is not a valid choice.']);
  expect(await lines({ return_url: 'shop' })).toEqual(['return_url: This value is not a valid URL.']);
  expect(await lines({ hash: 'f'.repeat(32) })).toEqual(['hash: Hash is not valid.']);
});
