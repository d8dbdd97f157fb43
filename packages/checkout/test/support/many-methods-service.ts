import { hubConnector } from '@railyard/connector-mobile-money';
import { gatewayConnector } from '@railyard/connector-open-banking';
import { instantConnector } from '@railyard/connector-pix';
import type { CheckoutConfig, GivenCatalogue } from '../../src/index.ts';
import { brokenConnector } from './broken-connector.ts';
import { cardConnector } from './card-connector.ts';
import { cardProvider } from './card-provider.ts';
import { mobileMoneyProvider } from './mobile-money-provider.ts';
import { merchant, payoutsByHash, testKeyAt } from './pix-config.ts';
import { pixProvider } from './pix-provider.ts';
import { callbackSecret, receiver } from './receiver.ts';
import { redirectGateway } from './redirect-gateway.ts';
import { createPage, sessionBody, startOn, type StartOptions } from './service.ts';

type MerchantChange = Partial<GivenCatalogue['merchants'][number]>;

/**
 * The running service with an account for every way to pay: a card with 3-D Secure, a code, a phone, a bank's page and an account whose
 * connector is at fault; their providers, and the merchant who is called back.
 */
export async function manyMethodsService(ofMerchant: MerchantChange = {}, options: StartOptions = {}) {
  const shop = await receiver();
  const [card, pix, mobile, bank] = await Promise.all([
    cardProvider(),
    pixProvider(),
    mobileMoneyProvider(),
    redirectGateway(),
  ]);
  const configOn = (port: number): CheckoutConfig & GivenCatalogue => ({
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    dataDir: 'memory',
    callbackNetwork: 'any',
    connectors: [cardConnector, instantConnector, hubConnector, gatewayConnector, brokenConnector],
    mids: [
      { id: 'cards', connector: cardConnector.id, settings: { base_url: card.url } },
      {
        id: 'pix-main',
        connector: instantConnector.id,
        settings: { base_url: pix.url, api_key: pix.apiKey, webhook_secret: pix.webhookSecret },
        defaults: { pix: { source_account_number: '123456', branch_identifier: '0001' } },
      },
      {
        id: 'phones',
        connector: hubConnector.id,
        settings: {
          base_url: mobile.url,
          api_key: mobile.secretKey,
          webhook_secret: mobile.notificationSecret,
        },
      },
      { id: 'banks', connector: gatewayConnector.id, settings: { base_url: bank.url, ...bank.settings } },
      { id: 'broken', connector: brokenConnector.id, settings: {} },
    ],
    merchants: [
      {
        key: merchant.key,
        testKey: merchant.testKey,
        test: testKeyAt(shop.url),
        ...payoutsByHash,
        name: 'Corner shop',
        password: merchant.password,
        digest: 'both',
        callbackUrl: shop.url,
        callbackSecret,
        methods: [
          { key: 'card', mid: 'cards' },
          { key: 'pix', mid: 'pix-main' },
          { key: 'mobile-money', mid: 'phones' },
          { key: 'online-bank-transfer', mid: 'banks' },
          { key: 'broken', mid: 'broken' },
        ],
        ...ofMerchant,
      },
    ],
  });
  const service = await startOn(configOn, options);
  return {
    ...service,
    card,
    pix,
    mobile,
    bank,
    shop,
    async stop() {
      await service.stop();
      await shop.close();
      await Promise.all([card.close(), pix.close(), mobile.close(), bank.close()]);
    },
  };
}

export type ManyMethodsService = Awaited<ReturnType<typeof manyMethodsService>>;

/** A session in which these methods can be used. @returns its page and the number of its order */
export async function sessionOf(
  { url }: Pick<ManyMethodsService, 'url'>,
  methods: readonly string[],
  change: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, string>> = {},
) {
  const body = sessionBody({ methods, error_url: 'https://shop.example/error', ...change }, order);
  return { page: await createPage(url, body), number: body.order.number };
}
