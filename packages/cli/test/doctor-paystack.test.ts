import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { doctored } from './support/doctored.ts';
import { type Answer, fakeProvider } from './support/fake-provider.ts';

const ABSENT: Answer = { status: 404, body: { status: false, message: 'Transaction reference not found' } };
const WRONG_KEY: Answer = { status: 401, body: { status: false, message: 'Invalid key' } };
const SECRET = 'sk_test_of_the_account';

let paystack: Awaited<ReturnType<typeof fakeProvider>>;
let answer = ABSENT;
beforeAll(async () => {
  paystack = await fakeProvider(() => answer);
});
beforeEach(() => {
  answer = ABSENT;
  paystack.asked.length = 0;
});
afterAll(() => paystack.close());

const findings = (settings: object) =>
  doctored({
    connector: 'paystackConnector',
    from: '@railyard/connector-mobile-money',
    id: 'mobile-money-paystack',
    method: 'mobile-money-paystack',
    settings: { base_url: paystack.url, ...settings },
    secrets: [SECRET],
  });

describe('railyard doctor with an account of Paystack', () => {
  test('looks up a made-up charge, and says which address Paystack is to be given', async () => {
    const of = await findings({ secret_key: SECRET });
    expect(of('provider')).toEqual(['ok: It answered, and does not know a made-up payment.']);
    expect(paystack.asked).toEqual([expect.stringMatching(/^GET \/transaction\/verify\/[0-9a-f-]{36}$/)]);
    expect(of('notification')[0]).toContain('Enter https://pay.example/notify/own at the provider.');
  });

  test('names the credential that is missing', async () => {
    const of = await findings({});
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual(['secret_key']);
  });

  test('says that Paystack refuses the key', async () => {
    answer = WRONG_KEY;
    expect((await findings({ secret_key: SECRET }))('provider')).toEqual([
      expect.stringMatching(/^failed: .*refused the credentials \(401 from verify-charge\)/),
    ]);
  });
});
