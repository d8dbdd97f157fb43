import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { doctored } from './support/doctored.ts';
import { type Answer, fakeProvider } from './support/fake-provider.ts';

const NONE: Answer = { status: 200, body: [] };
const WRONG_KEY: Answer = { status: 401, body: { code: 'unauthenticated', message: 'Authentication is required.' } };
const own = { api_key: 'the-api-key', store_id: 'the-store', webhook_secret: 'the-webhook-secret' };

let server: Awaited<ReturnType<typeof fakeProvider>>;
let answer = NONE;
beforeAll(async () => {
  server = await fakeProvider(() => answer);
});
beforeEach(() => {
  answer = NONE;
  server.asked.length = 0;
});
afterAll(() => server.close());

const findings = (settings: object) =>
  doctored({
    connector: 'btcpayConnector',
    from: '@railyard/connector-crypto',
    id: 'bitcoin-btcpay',
    method: 'bitcoin-btcpay',
    settings: { base_url: server.url, ...settings },
    secrets: [own.api_key, own.webhook_secret],
  });

describe('railyard doctor with a store of a BTCPay Server', () => {
  test('searches a made-up invoice, and says which address the store is to be given', async () => {
    const of = await findings(own);
    expect(of('provider')).toEqual(['ok: It answered, and does not know a made-up payment.']);
    expect(server.asked).toEqual([
      expect.stringMatching(/^GET \/api\/v1\/stores\/the-store\/invoices\?orderId=[0-9a-f-]{36}$/),
    ]);
    expect(of('notification')[0]).toContain('Enter https://pay.example/notify/own at the provider.');
  });

  test('names what is missing', async () => {
    const of = await findings({ store_id: own.store_id });
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual(['api_key', 'webhook_secret']);
  });

  test('says that the server refuses the key', async () => {
    answer = WRONG_KEY;
    expect((await findings(own))('provider')).toEqual([
      expect.stringMatching(/^failed: .*refused the credentials \(401 from find-invoices\)/),
    ]);
  });
});
