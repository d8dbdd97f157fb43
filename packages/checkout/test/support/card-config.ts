import type { CheckoutConfig, GivenCatalogue } from '../../src/index.ts';
import { otherMerchant } from './any-method-config.ts';
import { cardConnector } from './card-connector.ts';
import type { Place } from './data-dir.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

export type MerchantChange = Partial<GivenCatalogue['merchants'][number]>;
export type MidChange = Partial<GivenCatalogue['mids'][number]>;

/** A deployment with one card account and two merchants who share nothing. */
export function cardConfig(
  given: { readonly providerUrl: string; readonly callbackUrl: string; readonly port: number; readonly place?: Place },
  ofMerchant: MerchantChange = {},
  ofMid: MidChange = {},
): CheckoutConfig & GivenCatalogue {
  const shop = (own: { key: string; testKey?: string; password: string }) => ({
    ...own,
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
    mids: [{ id: 'cards', connector: cardConnector.id, settings: { base_url: given.providerUrl }, ...ofMid }],
    merchants: [shop(merchant), shop(otherMerchant)],
  };
}
