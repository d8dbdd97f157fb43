import type { CheckoutOptions } from '../../src/index.ts';
import { cardConfig, type MerchantChange, type MidChange } from './card-config.ts';
import { cardProvider } from './card-provider.ts';
import type { Place } from './data-dir.ts';
import { receiver } from './receiver.ts';
import { createPage, sessionBody, startOn } from './service.ts';

/** The running service with a card account, its provider, and the merchant who is called back. */
export async function cardService(
  { place, ...options }: Omit<CheckoutOptions, 'log'> & { readonly place?: Place } = {},
  ofMerchant: MerchantChange = {},
  ofMid: MidChange = {},
) {
  const provider = await cardProvider();
  const shop = await receiver();
  const given = { providerUrl: provider.url, callbackUrl: shop.url, ...(place && { place }) };
  const service = await startOn((port) => cardConfig({ ...given, port }, ofMerchant, ofMid), options);
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

export type CardService = Awaited<ReturnType<typeof cardService>>;

/** A card that is good for everything. */
export const CARD = {
  'card.number': '4111 1111 1111 1111',
  'card.expiry': '01 / 38',
  'card.cvv': '123',
  'card.name': 'Ada Example',
};

/** A signed request for a payment by card. */
export const cardBody = (
  change: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, string>> = {},
) => sessionBody({ methods: ['card'], ...change }, { currency: 'USD', ...order });

export const cardPage = (service: Pick<CardService, 'url'>, change: Readonly<Record<string, unknown>> = {}) =>
  createPage(service.url, cardBody(change));

/** Sends the card form, as a browser without scripts does. */
export async function payByCard(
  page: string,
  fields: Readonly<Record<string, string>> = CARD,
  headers: Readonly<Record<string, string>> = {},
) {
  const reply = await fetch(`${page}/pay`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ method: 'card', ...fields }),
    redirect: 'manual',
  });
  return { status: reply.status, text: await reply.text(), location: reply.headers.get('location') };
}
