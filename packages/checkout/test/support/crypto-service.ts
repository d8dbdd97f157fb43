import { signSession } from '@railyard/core/protocol';
import { cryptoConfig } from './crypto-config.ts';
import { gatewayProvider } from './crypto-gateway.ts';
import { type CryptoAddress, cryptoProvider } from './crypto-provider.ts';
import { receiver } from './receiver.ts';
import { createPage, merchant, pressPay, sessionBody, startOn, type StartOptions, trial } from './service.ts';

/** The running service with crypto accounts, both providers, and the merchant who is called back. */
export async function cryptoService(options: StartOptions = {}) {
  const provider = await cryptoProvider();
  const gateway = await gatewayProvider();
  const shop = await receiver();
  const service = await startOn((port) => cryptoConfig(provider, shop.url, port, gateway.url), options);
  return {
    ...service,
    provider,
    gateway,
    shop,
    async stop() {
      await service.stop();
      await shop.close();
      await provider.close();
      await gateway.close();
    },
  };
}

export type CryptoService = Awaited<ReturnType<typeof cryptoService>>;

interface Asked {
  readonly method?: string;
  readonly currency?: string;
  /** Without one the payer chooses. */
  readonly amount?: string;
  readonly parameters?: object;
  readonly more?: object;
}

/** A signed session request; the hash of one without an amount leaves it out. */
export function cryptoBody({ method = 'crypto-receive', currency = 'BTC', amount, parameters, more }: Asked = {}) {
  const { number, description } = sessionBody().order;
  const order = { number, currency, description, ...(amount !== undefined && { amount }) };
  const body = sessionBody({ methods: [method], ...(parameters && { parameters: { [method]: parameters } }), ...more });
  const { password } = body.merchant_key === trial.key ? trial : merchant;
  return { ...body, order, hash: signSession(order, password) };
}

/** A payment whose payer sees an address. */
export async function addressShown(service: CryptoService, asked: Asked = {}) {
  const body = cryptoBody(asked);
  const page = await createPage(service.url, body);
  await pressPay(page, { method: body.methods[0] ?? '' });
  const { number } = body.order;
  const init = await service.shop.until(({ fields }) => fields.order_number === number);
  return { page, number, init: init.fields, to: lastAddress(service) };
}

/** The address that the provider gave last. */
export function lastAddress({ provider }: CryptoService): CryptoAddress {
  const to = provider.ledger.at(-1);
  if (to === undefined) throw new Error('The provider was asked nothing.');
  return to;
}

/** What the merchant was told of an order, without its first callback: type, status, order_status and amount. */
export const toldOf = ({ shop }: CryptoService, number: string) =>
  shop.received
    .map(({ fields }) => fields)
    .filter((fields) => fields.order_number === number)
    .slice(1)
    .map(({ type, status, order_status, order_amount }) => `${type} ${status} ${order_status} ${order_amount}`);
