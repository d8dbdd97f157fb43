import { acquirerConnector } from '@railyard/connector-card';
import { acquirerSimulation } from '@railyard/connector-card/simulation';
import type { CheckoutConfig, GivenCatalogue } from '../../src/index.ts';
import { applePayWallet, googlePayWallet } from '@railyard/connector-card/wallet-tokens';
import { type Formula, signRequest, type SignedFields } from '@railyard/core/protocol';
import { type HttpRequest, kyTransport, type Transport } from '@railyard/runtime';
import { createSimulator } from '@railyard/simulator';
import { otherMerchant } from './any-method-config.ts';
import type { MerchantChange } from './card-config.ts';
import { CARD, cardBody, payByCard } from './card-service.ts';
import type { Place } from './data-dir.ts';
import { callbackSecret, receiver } from './receiver.ts';
import { createPage, merchant, post, startOn, type StartOptions } from './service.ts';

type Mids = GivenCatalogue['mids'];

/** What a later charge is asked with. */
export interface Mandate {
  readonly recurring_init_trans_id: string;
  readonly recurring_token: string;
}

/**
 * An answer of the acquirer that its simulator would not give: a status and a JSON body; `lost`: it may have been taken, and is never
 * answered; `lost-after`: it was taken, and the answer is lost.
 */
export type Answered = { readonly status: number; readonly body: object } | 'lost' | 'lost-after';

/**
 * The running service with the acquirer's own connector, played by the simulator.
 *
 * @param midsOf the accounts; one named `cards` unless given
 * @param options.connectors others beside the acquirer's
 */
export async function acquirerService(
  ofMerchant: MerchantChange = {},
  midsOf: (settings: Mids[number]['settings']) => Mids = (settings) => [account('cards', settings)],
  {
    place,
    connectors = [],
    ...options
  }: Omit<StartOptions, 'transport'> & {
    readonly place?: Place;
    readonly connectors?: CheckoutConfig['connectors'];
  } = {},
) {
  const secrets = { api_key: 'acquirer-key', webhook_secret: 'a-secret-of-the-notifications' };
  const simulator = await createSimulator({
    connectors: [
      {
        connector: acquirerConnector,
        simulation: acquirerSimulation,
        settings: { base_url: 'http://127.0.0.1:1', ...secrets },
      },
    ],
    scenario: 'settled',
  });
  const shop = await receiver();
  const base_url = simulator.baseUrl(acquirerConnector.id);
  /** Asked before the simulator is. */
  const state = { answer: (_request: HttpRequest): Answered | undefined => undefined };
  const asked: HttpRequest[] = [];
  const service = await startOn(
    (port) => ({
      publicUrl: `http://127.0.0.1:${port}`,
      port,
      ...(place ?? { dataDir: 'memory' }),
      callbackNetwork: 'any',
      connectors: [acquirerConnector, ...connectors],
      wallets: [applePayWallet, googlePayWallet],
      mids: midsOf({ base_url, ...secrets }),
      merchants: [merchant, otherMerchant].map((own) => ({
        ...own,
        name: 'Card shop',
        callbackUrl: shop.url,
        callbackSecret,
        methods: [{ key: 'card', mid: 'cards' }],
        ...ofMerchant,
      })),
    }),
    { ...options, transport: answering(kyTransport(), asked, state) },
  );
  return {
    ...service,
    ...merchantCalls(service.url),
    simulator,
    shop,
    state,
    asked,
    async stop() {
      await service.stop();
      await shop.close();
      await simulator.close();
    },
  };
}

export type AcquirerService = Awaited<ReturnType<typeof acquirerService>>;

export const account = (id: string, settings: Mids[number]['settings'], more: Partial<Mids[number]> = {}) => ({
  id,
  connector: acquirerConnector.id,
  settings,
  defaults: { card: { zero_amount: 'verified' } },
  ...more,
});

function answering(
  real: Transport,
  asked: HttpRequest[],
  state: { readonly answer: (request: HttpRequest) => Answered | undefined },
): Transport {
  return {
    async send(request) {
      asked.push(request);
      const answer = state.answer(request);
      if (answer === undefined) return real.send(request);
      if (answer === 'lost-after') await real.send(request);
      if (answer === 'lost' || answer === 'lost-after') return { kind: 'lost', why: 'The connection broke.' };
      const body = JSON.stringify(answer.body);
      return { kind: 'reply', status: answer.status, headers: { 'content-type': 'application/json' }, body };
    },
  };
}

/** The calls of a merchant's server, signed. */
export function merchantCalls(serviceUrl: string) {
  const send = <F extends Formula>(
    path: string,
    formula: F,
    fields: SignedFields<F>,
    body: object,
    who: { readonly key: string; readonly password: string } = merchant,
  ) => {
    const signed = { merchant_key: who.key, ...body, hash: signRequest(formula, fields, who.password) };
    return post(`${serviceUrl}/api/v1/payment/${path}`, signed);
  };
  return {
    recurring(mandate: Mandate, order: { number: string; amount: string; description: string }, more: object = {}) {
      return send('recurring', 'recurring', { ...mandate, ...order }, { ...mandate, order, ...more });
    },
    retry: (payment_id: string) => send('retry', 'retry', { payment_id }, { payment_id }),
    capture: (payment_id: string, amount: string) =>
      send('capture', 'capture', { payment_id, amount }, { payment_id, amount }),
    refund: (payment_id: string, amount: string) =>
      send('refund', 'refund', { payment_id, amount }, { payment_id, amount }),
    credit(
      order: SignedFields<'card_credit'>,
      more: object,
      who: { readonly key: string; readonly password: string } = merchant,
    ) {
      return send('card/credit', 'card_credit', order, { ...order, ...more }, who);
    },
    status: async (payment_id: string) =>
      (await send('status', 'status_by_payment', { payment_id }, { payment_id })).json,
    byOrder: async (order_id: string, size: string) =>
      (await send('status', 'status_by_order', { order_id }, { order_id, size })).json,
  };
}

/** Pays an order on its page with the test card. @returns its number */
export async function payOrder(
  service: AcquirerService,
  change: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, string>> = {},
  card: Readonly<Record<string, string>> = CARD,
): Promise<string> {
  const body = cardBody(change, order);
  const { status, text } = await payByCard(await createPage(service.url, body), card);
  if (status !== 303) throw new Error(text);
  return body.order.number;
}

/** The fields of a callback of an order. */
export async function told(service: AcquirerService, orderNumber: string, fits: Readonly<Record<string, string>>) {
  const { fields } = await service.shop.until(
    ({ fields: each }) =>
      each.order_number === orderNumber && Object.entries(fits).every(([name, value]) => each[name] === value),
  );
  return fields;
}

/** Starts a mandate with the test card. */
export async function startMandate(service: AcquirerService, change: Readonly<Record<string, unknown>> = {}) {
  const number = await payOrder(service, { recurring_init: true, ...change });
  const fields = await told(service, number, { order_status: 'settled' });
  const { recurring_init_trans_id = '', recurring_token = '', id = '' } = fields;
  return { mandate: { recurring_init_trans_id, recurring_token }, id, number, fields };
}
