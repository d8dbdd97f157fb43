import { signedDepositConnector } from '@railyard/connector-wallet';
import { signedDepositSimulation } from '@railyard/connector-wallet/simulation';
import { createSimulator } from '@railyard/simulator';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { depositSettings, partner, provider } from '../../../connector-wallet/test/support/keys.ts';
import { dyingService, type Point } from '../support/dying-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

const CREATE = /^POST \/deposits$/;
const LOOK = /^POST \/status$/;

/** The provider, where payers pay when a test says so. */
const played = () =>
  createSimulator({
    scenario: 'manual',
    connectors: [
      {
        connector: signedDepositConnector,
        simulation: signedDepositSimulation,
        settings: signedDepositConnector.settings.parse({ base_url: 'http://127.0.0.1:1', ...depositSettings }),
        privateKey: provider.privateKey,
      },
    ],
  });

let wallet: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  const keys = { apiKey: partner.privateKey, webhookSecret: provider.publicKey };
  wallet = await dyingService('signed-deposit', signedDepositConnector.id, played, keys);
});
afterEach(() => wallet.close());

async function session(name = 'Ana Horvat') {
  const body = sessionBody(
    {
      methods: ['cash-wallet-deposit'],
      customer: { name, birth_date: '1990-04-23' },
      parameters: { 'cash-wallet-deposit': { payer_id: 'user-7781' } },
    },
    { currency: 'EUR' },
  );
  return { number: body.order.number, page: await createPage(wallet.url(), body) };
}

const pay = (page: string) => pressPay(page, { method: 'cash-wallet-deposit' });
/** On a server the run of a dead process is taken over after its lease, which is a minute. */
const PATIENCE = { timeout: 120_000 };

/** The one deposit that there is, as soon as there is one. */
const theOne = () => vi.waitUntil(() => wallet.simulator.payments()[0], PATIENCE);
const told = (number: string, status: string) =>
  wallet.shop.received.filter(({ fields }) => fields.order_number === number && fields.order_status === status);

describe('a service that is killed', () => {
  test.each<Point>([
    [CREATE, 'arrives'],
    [CREATE, 'has-acted'],
  ])('in a deposit, when %s %s, makes it once, leads the payer to the wallet and settles it', async (...point) => {
    const { number, page } = await session();
    await wallet.dyingAt(point, () => pay(page));
    const { id } = await theOne();
    await vi.waitUntil(async () => (await (await fetch(page)).text()).includes(`payment=${id}`), PATIENCE);
    wallet.simulator.settle(id);
    await wallet.until(number, 'sale success settled');
    expect(wallet.simulator.payments()).toHaveLength(1);
    expect(told(number, 'decline')).toEqual([]);
  });

  test.each<Point>([
    [LOOK, 'arrives'],
    [LOOK, 'has-acted'],
  ])('after the notification of a wallet in another name, when %s %s, declines the payment', async (...point) => {
    const { number, page } = await session('Ana Mismatch');
    await pay(page);
    const { id } = await theOne();
    await wallet.dyingAt(point, async () => wallet.simulator.decline(id));
    await wallet.until(number, 'sale fail decline');
    expect(told(number, 'settled')).toEqual([]);
  });
});
