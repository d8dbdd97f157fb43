import { afterAll, beforeAll, expect, test } from 'vitest';
import { apmSaleFields, onApmTransaction } from '../support/apm-commands.ts';
import { canaryConfig, newCanaries, talkativeProvider } from '../support/canaries.ts';
import { sendCommand, toldCommand } from '../support/commands.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { startOn } from '../support/service.ts';

const canaries = newCanaries();
const signer = { key: canaries.merchantKey, password: canaries.password };
let provider: Awaited<ReturnType<typeof talkativeProvider>>;
let shop: Receiver;
let service: Awaited<ReturnType<typeof startOn>>;

beforeAll(async () => {
  [provider, shop] = await Promise.all([talkativeProvider(), receiver()]);
  const given = { providerUrl: provider.url, callbackUrl: shop.url };
  service = await startOn((port) => ({ ...canaryConfig(canaries, { ...given, port }), dataDir: 'memory' }));
});

afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close()]);
});

test('a sale whose flow asks the payer for a code is declined before money moves: a command cannot ask', async () => {
  const fields = apmSaleFields({ brand: 'coded', order_currency: 'USD' }, signer);
  const { status, json } = await sendCommand(service.url, fields, {}, '/post-va');
  const declined = {
    action: 'SALE',
    result: 'DECLINED',
    status: 'DECLINED',
    decline_reason: expect.stringMatching(/payer/i),
  };
  expect([status, json]).toMatchObject([200, declined]);
  expect(service.lines.filter((line) => line.includes('provider-call'))).toEqual([]);
  expect(await toldCommand(shop, fields['order_id'], 'DECLINED')).toMatchObject({ action: 'SALE', result: 'DECLINED' });
  const found = await sendCommand(
    service.url,
    onApmTransaction('GET_TRANS_STATUS', String(json['trans_id']), {}, signer),
    {},
    '/post-va',
  );
  expect(found.json).toMatchObject({ result: 'SUCCESS', status: 'DECLINED' });
});
