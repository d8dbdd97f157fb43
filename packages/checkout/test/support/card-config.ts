import type { CheckoutConfig, GivenCatalogue } from '../../src/index.ts';
import { otherMerchant } from './any-method-config.ts';
import { cardConnector } from './card-connector.ts';
import type { Place } from './data-dir.ts';
import { merchant, testKeyAt } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

export type MerchantChange = Partial<GivenCatalogue['merchants'][number]>;
export type MidChange = Partial<GivenCatalogue['mids'][number]>;

/** A merchant for whom a second account is asked after a soft decline. */
export const CASCADING: MerchantChange = { cascading: true, methods: [{ key: 'card', mid: ['cards', 'more-cards'] }] };

/** A deployment with two card accounts, the first of which is used, and two merchants who share nothing. */
export function cardConfig(
  given: { readonly providerUrl: string; readonly callbackUrl: string; readonly port: number; readonly place?: Place },
  ofMerchant: MerchantChange = {},
  ofMid: MidChange = {},
): CheckoutConfig & GivenCatalogue {
  const shop = (own: { key: string; testKey?: string; password: string }) => ({
    ...own,
    ...(own.testKey !== undefined && { test: testKeyAt(given.callbackUrl) }),
    name: 'Card shop',
    callbackUrl: given.callbackUrl,
    callbackSecret,
    methods: [{ key: 'card', mid: 'cards' }],
    ...ofMerchant,
  });
  return {
    publicUrl: `http://127.0.0.1:${given.port}`,
    port: given.port,
    ...(given.place ?? { dataDir: 'memory' }),
    callbackNetwork: 'any',
    connectors: [cardConnector],
    mids: ['cards', 'more-cards'].map((id) => ({
      id,
      connector: cardConnector.id,
      settings: { base_url: given.providerUrl },
      ...ofMid,
    })),
    merchants: [shop(merchant), shop(otherMerchant)],
  };
}
