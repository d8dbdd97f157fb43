import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, fakeProvider } from './support/fake-provider.ts';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const BALANCE: Answer = { status: 200, body: { object: 'balance', available: [], livemode: false } };

const folder = mkdtempSync(fixture('doctor-stripe-'));
let stripe: Awaited<ReturnType<typeof fakeProvider>>;
let answer = BALANCE;
beforeAll(async () => {
  stripe = await fakeProvider(() => answer);
});
beforeEach(() => {
  answer = BALANCE;
  stripe.asked.length = 0;
});
afterAll(async () => {
  await stripe.close();
  rmSync(folder, { recursive: true });
});

async function findings(settings: object) {
  const path = join(folder, 'checkout.config.mjs');
  const mids = [{ id: 'stripe', connector: 'card-stripe', settings }];
  const merchants = [
    { key: 'm-1', name: 'Shop', password: 'p-of-the-shop', methods: [{ key: 'card', mid: 'stripe' }] },
  ];
  writeFileSync(
    path,
    `import { stripeConnector } from '@railyard/connector-card';\nexport default { connectors: [stripeConnector], ...${JSON.stringify({ publicUrl: 'https://pay.example', mids, merchants })} };\n`,
  );
  const { answer: said } = await jsonInPipe(['doctor', '--config', path]);
  const all: readonly { readonly check: string; readonly result: string; readonly says: string }[] = said.findings;
  expect(JSON.stringify(said)).not.toContain('the-secret-key-of-stripe');
  return (check: string) => all.filter((each) => each.check === check).map(({ result, says }) => `${result}: ${says}`);
}

const account = () => ({
  base_url: stripe.url,
  secret_key: 'the-secret-key-of-stripe',
  webhook_secret: 'the-signing-secret-of-stripe',
});

describe('railyard doctor with an account at Stripe', () => {
  test('reads the balance, moves nothing, and says which address Stripe is to be given', async () => {
    const of = await findings(account());
    expect(of('provider')).toEqual(['ok: The connector’s check says that the account works.']);
    expect(stripe.asked).toEqual(['GET /v1/balance']);
    expect(of('notification')[0]).toContain('Enter https://pay.example/notify/stripe at the provider.');
  });

  test('names the credentials that are missing', async () => {
    const of = await findings({ base_url: stripe.url });
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual(['secret_key', 'webhook_secret']);
  });

  test('says that the key is refused', async () => {
    answer = { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } };
    expect((await findings(account()))('provider')).toEqual(['failed: Invalid API Key provided']);
  });
});
