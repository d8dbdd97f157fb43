import { adyenSimulation, govukPaySimulation, stripeSimulation } from '@railyard/connector-card/simulation';
import { btcpaySimulation } from '@railyard/connector-crypto/simulation';
import { gsmaSimulation, paystackSimulation } from '@railyard/connector-mobile-money/simulation';
import { obUkSimulation } from '@railyard/connector-open-banking/simulation';
import { bcbSimulation } from '@railyard/connector-pix/simulation';
import { conektaSimulation } from '@railyard/connector-voucher/simulation';
import { paypalSimulation, vippsSimulation } from '@railyard/connector-wallet/simulation';
import { readPath } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { createSimulator, type Simulator, type SimulatorOptions } from '@railyard/simulator';
import { CARD } from './card-service.ts';
import { signedPayout } from './commands.ts';
import { freePort } from './listen.ts';
import { type RealName, realConfig, realProvider } from './real-provider-configs.ts';
import { receiver } from './receiver.ts';
import { createPage, merchant, pressPay, sessionBody, startOn, type StartOptions } from './service.ts';

/** How the simulator plays each provider, and where below a service its notifications go, where the account names that address. */
const PLAYED: Readonly<Record<RealName, { readonly simulation: Simulation; readonly notify?: string }>> = {
  adyen: { simulation: adyenSimulation, notify: '/notify/adyen' },
  stripe: { simulation: stripeSimulation, notify: '/notify/stripe' },
  'govuk-pay': { simulation: govukPaySimulation, notify: '/notify/council' },
  gsma: { simulation: gsmaSimulation },
  paystack: { simulation: paystackSimulation, notify: '/notify/ghana' },
  btcpay: { simulation: btcpaySimulation, notify: '/notify/store' },
  'pix-bcb': { simulation: bcbSimulation, notify: '/notify/bcb/pix' },
  conekta: { simulation: conektaSimulation, notify: '/notify/mexico' },
  paypal: { simulation: paypalSimulation, notify: '/notify/paypal' },
  vipps: { simulation: vippsSimulation, notify: '/notify/vipps' },
  'ob-uk': { simulation: obUkSimulation },
};

/** A real provider as the simulator plays it for the service at this address. */
export function played(name: RealName, serviceUrl: string, simulation: Simulation = PLAYED[name].simulation) {
  const { connector, settings } = realProvider(name);
  const { notify } = PLAYED[name];
  return {
    connector,
    simulation,
    settings: connector.settings.parse(settings('http://127.0.0.1:1')),
    ...(notify !== undefined && { notifyUrl: serviceUrl + notify }),
  };
}

/** The same alone; payers pay when a test says so. */
export function simulated(
  name: RealName,
  serviceUrl: string,
  options: Omit<SimulatorOptions, 'connectors'> = {},
  simulation?: Simulation,
): Promise<Simulator> {
  return createSimulator({ connectors: [played(name, serviceUrl, simulation)], scenario: 'manual', ...options });
}

/** The running service with an account at a real provider, that provider, and the shop that is called back. */
export async function realService(
  name: RealName,
  options: StartOptions = {},
  { settings, simulation }: { readonly settings?: object; readonly simulation?: Simulation } = {},
) {
  const { connector } = realProvider(name);
  const shop = await receiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${connector.id}`;
  const service = await startOn((own) => realConfig(name, url, shop.url, own, settings), options);
  const clock = options.clock && { clock: options.clock };
  const simulator = await simulated(name, service.url, { port, ...clock }, simulation);
  return {
    ...service,
    notifyUrl: service.url + (PLAYED[name].notify ?? ''),
    simulator,
    shop,
    /** The callback of an order that has these words: type, status and status of the order. */
    reported: (number: string, words: string) => shop.until(({ fields }) => isCallback(fields, number, words)),
    async stop() {
      await service.stop();
      await simulator.close();
      await shop.close();
    },
  };
}
export type RealService = Awaited<ReturnType<typeof realService>>;

type Fields = Readonly<Record<string, string>>;
const isCallback = (fields: Fields, number: string, words: string): boolean =>
  fields['order_number'] === number && `${fields['type']} ${fields['status']} ${fields['order_status']}` === words;

/** The words of each callback about an order. */
export const wordsOf = ({ shop }: RealService, number: string): string[] =>
  shop.received
    .filter(({ fields }) => fields.order_number === number)
    .map(({ fields }) => `${fields.type} ${fields.status} ${fields.order_status}`);

export const shown = async (page: string): Promise<string> => (await fetch(page)).text();

/** Cards of the providers' descriptions that go by way of the payer's bank. */
export const REDIRECTED = {
  adyen: { ...CARD, 'card.number': '4212 3456 7890 1237', 'card.expiry': '03 / 30' },
  stripe: { ...CARD, 'card.number': '4000 0027 6000 3184' },
};

/**
 * Agrees or refuses at the provider, to which a page of the service leads.
 *
 * @param at where the provider's page is, if not at the address that stands on the page
 * @returns the way back
 */
export async function confirmedAt(
  page: string,
  { at, press = '/pay' }: { readonly at?: string; readonly press?: '/pay' | '/decline' } = {},
): Promise<string> {
  const leave = /data-leave="([^"]+)"/.exec(await shown(page))?.[1]?.replaceAll('&amp;', '&') ?? '';
  const way = at === undefined ? leave : `${at}/${new URL(leave).search}`;
  const id = /name="id" value="([^"]+)"/.exec(await shown(way))?.[1] ?? '';
  const body = new URLSearchParams({ id, page: 'payment' });
  const pressed = await (await fetch(new URL(press, way), { method: 'POST', body })).text();
  return /<a href="([^"]+)"/.exec(pressed)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

const PAYSTACK = 'mobile-money-paystack';
const BTCPAY = 'bitcoin-btcpay';
const GSMA = 'mobile-money-gsma';

export const inShillings = (change: object = {}, order: Fields = {}) =>
  sessionBody(
    { methods: [GSMA], parameters: { [GSMA]: { mobile_number: '254712345678' } }, ...change },
    { currency: 'KES', ...order },
  );

/** A session in cedis whose payer need not be asked for anything but a code. */
export const inCedis = (network: 'mtn' | 'vod', change: object = {}, order: Fields = {}) =>
  sessionBody(
    {
      methods: [PAYSTACK],
      customer: { name: 'Ama Mensah', email: 'ama@example.com' },
      parameters: { [PAYSTACK]: { mobile_number: '233551234987', network } },
      ...change,
    },
    { currency: 'GHS', ...order },
  );

export const inEuro = (change: object = {}, order: Fields = {}) =>
  sessionBody({ methods: [BTCPAY], ...change }, { currency: 'EUR', ...order });

export const inReais = (change: object = {}, order: Fields = {}) =>
  sessionBody(
    {
      methods: ['pix-charge'],
      parameters: { 'pix-charge': { devedor_documento: '52998224725', devedor_nome: 'Maria Silva' } },
      ...change,
    },
    order,
  );

/** A session in pesos, unless the order says otherwise, whose payer need not be asked for anything. */
export const inPesos = (method: string, change: object = {}, order: Fields = {}) =>
  sessionBody(
    {
      methods: [method],
      customer: { name: 'Ana Torres', email: 'ana@example.com' },
      billing_address: { country: 'MX', phone: '+525522997233' },
      ...change,
    },
    { currency: 'MXN', ...order },
  );

/** A session in pounds to an account with a sort code. */
export const inPounds = (change: object = {}, order: Fields = {}) =>
  sessionBody(
    {
      methods: ['open-banking'],
      parameters: {
        'open-banking': {
          payee_name: 'Ann Lee',
          payee_country: 'GB',
          payee_identifications: [
            { type: 'SORT_CODE', identification: '04-00-04' },
            { type: 'ACCOUNT_NUMBER', identification: '12345678' },
          ],
        },
      },
      ...change,
    },
    { currency: 'GBP', ...order },
  );

/** A payout to a wallet of MTN by Paystack, as a command. */
export const wages = (order_id: string) =>
  signedPayout(
    {
      action: 'CREDIT2VIRTUAL',
      client_key: merchant.key,
      brand: PAYSTACK,
      order_id,
      order_amount: '10.00',
      order_currency: 'GHS',
      'parameters[mobile_number]': '233551234987',
      'parameters[network]': 'mtn',
      payee_first_name: 'Kofi',
      payee_last_name: 'Owusu',
      payee_email: 'kofi@example.com',
    },
    merchant.password,
  );

/** A payout of bitcoin, as a command. */
export const bitcoinOut = (order_id: string) =>
  signedPayout(
    {
      action: 'CREDIT2VIRTUAL',
      client_key: merchant.key,
      brand: BTCPAY,
      order_id,
      order_amount: '0.25000000',
      order_currency: 'BTC',
      'parameters[address]': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      payee_first_name: 'Ada',
      payee_last_name: 'Lovelace',
      payee_email: 'ada@example.com',
    },
    merchant.password,
  );

/** A payer whom the page has sent to PayPal. @returns the order there, and where the payer comes back to */
export async function sentToPaypal(serviceUrl: string, simulator: Simulator, change: object = {}) {
  const body = sessionBody({ methods: ['redirect'], ...change }, { currency: 'USD' });
  const page = await createPage(serviceUrl, body);
  const { status, headers } = await pressPay(page, { method: 'redirect' });
  const order = simulator.payments().at(-1);
  if (status !== 303 || order === undefined) throw new Error(`${status}: PayPal has no order.`);
  const back = String(readPath(order.request, 'payment_source.paypal.experience_context.return_url'));
  return { number: body.order.number, page: new URL(headers.get('location') ?? '', page).href, order, back };
}
