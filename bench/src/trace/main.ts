import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { writeFileSync } from 'node:fs';
import { type CheckoutConfig, type GivenCatalogue, startCheckout } from '@railyard/checkout';
import { createClient } from '@railyard/client';
import { acquirerConnector } from '@railyard/connector-card';
import { acquirerSimulation } from '@railyard/connector-card/simulation';
import { createSimulator } from '@railyard/simulator';
import { recorded } from './record.ts';
import { flowsPage } from './report.ts';

const PAGE = new URL('../../../docs/how-a-payment-runs.md', import.meta.url);
const KEY = '11111111-2222-4333-8444-555555555555';
const PASSWORD = 'a-password-of-the-shop';
const SECRETS = { api_key: 'acquirer-key', webhook_secret: 'a-secret-of-the-notifications' };
const SECRET = `whsec_${btoa('a secret for this process only...')}`;

/** A merchant's server: it acknowledges each callback. */
const shop = createServer((request, reply) => request.resume().on('end', () => reply.end('OK')));
shop.listen(0, '127.0.0.1');
await once(shop, 'listening');

/** A port that is free now. The acquirer calls the service at its public address. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens at no port.');
  return address.port;
}

const port = await freePort();

const acquirer = await createSimulator({
  connectors: [
    {
      connector: acquirerConnector,
      simulation: acquirerSimulation,
      settings: { base_url: 'http://127.0.0.1:1', ...SECRETS },
    },
  ],
  scenario: 'settled',
});
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const config: CheckoutConfig & GivenCatalogue = {
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [acquirerConnector],
  mids: [
    {
      id: 'cards',
      connector: acquirerConnector.id,
      settings: { ...SECRETS, base_url: acquirer.baseUrl(acquirerConnector.id) },
    },
  ],
  merchants: [
    {
      key: KEY,
      name: 'Example Shop',
      password: PASSWORD,
      callbackUrl: `http://127.0.0.1:${portOf(shop)}/`,
      callbackSecret: SECRET,
      methods: [{ key: 'card', mid: 'cards' }],
    },
  ],
};
const checkout = await startCheckout(config, { log: quiet });
const railyard = createClient({ baseUrl: checkout.url, merchantKey: KEY, password: PASSWORD });

/** A session, and the card that its payer enters. */
async function pay(card: string): Promise<void> {
  const order = { number: `order-${card}`, amount: '10.00', currency: 'USD', description: 'Tea' };
  const { redirect_url } = await railyard.createSession({
    operation: 'purchase',
    methods: ['card'],
    order,
    success_url: 'https://shop.example/return',
    cancel_url: 'https://shop.example/cancel',
  });
  const form = {
    method: 'card',
    'card.number': card,
    'card.expiry': '01 / 38',
    'card.cvv': '123',
    'card.name': 'Ada Example',
  };
  const page = new URL(`${new URL(redirect_url).pathname}/pay`, checkout.url);
  const paid = await fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  if (paid.status !== 303) throw new Error(`The card form was answered with ${paid.status}: ${await paid.text()}`);
}

await pay('4111111111111111');
const { payment_id } = await railyard.orderStatus({ order_id: 'order-4111111111111111' });
await railyard.refund({ payment_id, amount: '10.00' });
await railyard.cardSale({
  order_id: 'order-by-command',
  order_amount: '10.00',
  order_currency: 'USD',
  order_description: 'Tea',
  card_number: '4111111111111111',
  card_exp_month: '01',
  card_exp_year: '2038',
  card_cvv2: '123',
  payer_first_name: 'Ada',
  payer_last_name: 'Example',
  payer_address: 'Long street 1',
  payer_country: 'US',
  payer_state: 'CA',
  payer_city: 'Oakland',
  payer_zip: '94607',
  payer_email: 'ada@example.com',
  payer_phone: '15105550123',
  payer_ip: '192.0.2.1',
  term_url_3ds: 'https://shop.example/back',
});
acquirer.setRule({ connector: acquirerConnector.id, scenario: 'manual' });
await pay('4242424242424242');
acquirer.settle(acquirer.payments().at(-1)?.id ?? '');
await acquirer.idle();
await checkout.stop();
await acquirer.close();
shop.close();

const page = flowsPage(recorded());
if (process.argv.includes('--write')) writeFileSync(PAGE, page);
else process.stdout.write(page);
