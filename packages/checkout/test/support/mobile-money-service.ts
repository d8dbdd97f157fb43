import { hubConnector } from '@railyard/connector-mobile-money';
import { mobileMoneyProvider } from './mobile-money-provider.ts';
import { callbackSecret, receiver } from './receiver.ts';
import { createPage, merchant, sessionBody, startOn } from './service.ts';

/** The running service with a mobile money account, its provider, and the merchant who is called back. */
export async function mobileMoneyService() {
  const provider = await mobileMoneyProvider();
  const shop = await receiver();
  const service = await startOn((port) => ({
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    dataDir: 'memory',
    callbackNetwork: 'any',
    connectors: [hubConnector],
    mids: [
      {
        id: 'mobile-money-main',
        connector: hubConnector.id,
        settings: {
          base_url: provider.url,
          secret_key: provider.secretKey,
          notification_secret: provider.notificationSecret,
        },
      },
    ],
    merchants: [
      {
        key: merchant.key,
        testKey: merchant.testKey,
        name: 'Duka',
        password: merchant.password,
        digest: 'both',
        callbackUrl: shop.url,
        callbackSecret,
        methods: [{ key: 'mobile-money', mid: 'mobile-money-main' }],
      },
    ],
  }));
  return {
    ...service,
    provider,
    shop,
    async stop() {
      await service.stop();
      await shop.close();
      await provider.close();
    },
  };
}

export type MobileMoneyService = Awaited<ReturnType<typeof mobileMoneyService>>;

/** A page on which a payer pays by mobile money. */
export const mobileMoneyPage = ({ url }: MobileMoneyService, amount = '100.50', currency = 'KES') =>
  createPage(
    url,
    sessionBody(
      { methods: ['mobile-money'], customer: { name: 'Ada Example', email: 'ada@example.com' } },
      { amount, currency },
    ),
  );

/** The collection or payout that the provider took last. */
export function lastEntry({ provider }: MobileMoneyService) {
  const entry = provider.ledger.at(-1);
  if (entry === undefined) throw new Error('The provider was asked nothing.');
  return entry;
}
