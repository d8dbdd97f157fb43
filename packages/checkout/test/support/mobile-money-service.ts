import { mobileMoneyConfig } from './mobile-money-config.ts';
import { mobileMoneyProvider } from './mobile-money-provider.ts';
import { receiver } from './receiver.ts';
import { createPage, sessionBody, startOn } from './service.ts';

/** The running service with a mobile money account, its provider, and the merchant who is called back. */
export async function mobileMoneyService() {
  const provider = await mobileMoneyProvider();
  const shop = await receiver();
  const service = await startOn((port) => mobileMoneyConfig(provider, shop.url, port));
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
