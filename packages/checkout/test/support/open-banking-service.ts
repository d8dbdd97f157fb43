import { gatewayConnector, initiationConnector } from '@railyard/connector-open-banking';
import type { CheckoutConfig, GivenCatalogue } from '../../src/index.ts';
import type { Place } from './data-dir.ts';
import { type InitiationProvider, initiationProvider } from './initiation-provider.ts';
import { merchant, payoutsByHash, testKeyAt } from './pix-config.ts';
import { callbackSecret, receiver } from './receiver.ts';
import { type RedirectGateway, redirectGateway } from './redirect-gateway.ts';
import { createPage, sessionBody, startOn } from './service.ts';

type Account = Pick<InitiationProvider, 'url' | 'settings'>;

/** A deployment with an account at each provider of open banking and one merchant. */
export function openBankingConfig(
  {
    initiation,
    gateway,
  }: { readonly initiation: Account; readonly gateway: Pick<RedirectGateway, 'url' | 'settings'> },
  callbackUrl: string,
  port: number,
  place: Place = { dataDir: 'memory' },
): CheckoutConfig & GivenCatalogue {
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    ...place,
    callbackNetwork: 'any',
    connectors: [initiationConnector, gatewayConnector],
    mids: [
      {
        id: 'initiation-main',
        connector: initiationConnector.id,
        settings: { base_url: initiation.url, ...initiation.settings, choose_bank: true },
      },
      {
        id: 'gateway-main',
        connector: gatewayConnector.id,
        settings: { base_url: gateway.url, ...gateway.settings },
      },
    ],
    merchants: [
      {
        key: merchant.key,
        testKey: merchant.testKey,
        name: 'Bookshop',
        password: merchant.password,
        test: testKeyAt(callbackUrl),
        ...payoutsByHash,
        digest: 'both',
        callbackUrl,
        callbackSecret,
        methods: [
          { key: 'open-banking', mid: 'initiation-main' },
          { key: 'online-bank-transfer', mid: 'gateway-main' },
        ],
      },
    ],
  };
}

/** The running service with both accounts, their providers, and the merchant who is called back. */
export async function openBankingService() {
  const initiation = await initiationProvider();
  const gateway = await redirectGateway();
  const shop = await receiver();
  const service = await startOn((port) => openBankingConfig({ initiation, gateway }, shop.url, port));
  return {
    ...service,
    initiation,
    gateway,
    shop,
    async stop() {
      await service.stop();
      await Promise.all([shop.close(), initiation.close(), gateway.close()]);
    },
  };
}

export type OpenBankingService = Awaited<ReturnType<typeof openBankingService>>;

export const PAYEE = {
  payee_name: 'Ann Lee',
  payee_country: 'GB',
  payee_identifications: [
    { type: 'SORT_CODE', identification: '04-00-04' },
    { type: 'ACCOUNT_NUMBER', identification: '12345678' },
  ],
};

/** A signed request for a payment from the payer's bank. */
export const openBankingBody = (parameters: object = PAYEE) =>
  sessionBody({ methods: ['open-banking'], parameters: { 'open-banking': parameters } }, { currency: 'GBP' });

/** A page on which a payer pays from the bank. */
export const openBankingPage = ({ url }: Pick<OpenBankingService, 'url'>) => createPage(url, openBankingBody());

/** A page on which a payer pays by bank transfer at the gateway. */
export const bankTransferPage = ({ url }: OpenBankingService, change: Readonly<Record<string, unknown>> = {}) =>
  createPage(url, sessionBody({ methods: ['online-bank-transfer'], ...change }, { currency: 'EUR' }));

/** What a provider took last. */
export function lastOf<T>({ ledger }: { readonly ledger: readonly T[] }): T {
  const entry = ledger.at(-1);
  if (entry === undefined) throw new Error('The provider was asked nothing.');
  return entry;
}
