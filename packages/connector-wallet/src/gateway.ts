/** Models the style of a gateway to wallets, and no provider: its whole API is invented (README). */
import {
  amountFields,
  amountOf,
  call,
  confirmOnDevice,
  decimal,
  defineConnector,
  field,
  type FlowContext,
  getOrFind,
  linkSent,
  type LookedUpPayment,
  type Money,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  paymentDetails,
  providerApi,
  qr,
  redirect,
  type References,
  reply,
  secret,
  type Show,
  statusTable,
  type Steps,
  withAmount,
} from '@railyard/core';
import { maskedPhone } from '@railyard/identifiers/phone';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './gateway.samples.ts';
import * as methods from './methods.ts';
import { nameParts } from './methods/person.ts';

const SOURCE = 'packages/connector-wallet/README.md, Gateway to wallets';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the gateway’s API' }),
  api_token: secret(z.string().min(1), 'API token of the shop'),
  notification_key: secret(z.string().min(16), 'Key that signs notifications'),
});
type Settings = z.output<typeof settings>;

const statuses = statusTable({
  waiting: 'pending',
  paid: 'settled',
  rejected: { declined: 'soft', code: 'declined_by_provider', reason: 'The wallet refused the payment.' },
  no_money: { declined: 'soft', code: 'insufficient_funds' },
  cancelled: { declined: 'soft', code: 'cancelled_by_payer' },
  expired: { declined: 'soft', code: 'timed_out' },
});

// Replies.

const reported = () => ({ payment_id: z.string().min(1), our_id: z.string(), status: z.string(), ...amountFields });
const address = () => z.url({ protocol: /^https?$/ }).optional();
/** Each way to pay has one of these. A payment that is refused at once has none. */
const onPage = withAmount(z.object({ ...reported(), page_url: address() }));
const onWidget = withAmount(z.object({ ...reported(), widget_url: address() }));
const inApp = withAmount(z.object({ ...reported(), app_url: z.url({ protocol: /^(?:https?|upi)$/ }).optional() }));
const byCode = withAmount(z.object({ ...reported(), code_text: z.string().min(1).optional() }));
const row = z.object({ name: z.string().min(1), value: z.string().min(1) });
const withData = withAmount(z.object({ ...reported(), pay_with: z.array(row).optional() }));
/** A request reaches the payer in their app, or the page opens that. */
const asRequest = withAmount(z.object({ ...inApp.shape, prompt: z.string().min(1).optional() }));
const byLink = withAmount(z.object({ ...reported(), link_sent_by: z.enum(['email', 'sms']).optional() }));
const payment = withAmount(
  z.object({
    ...onPage.shape,
    ...onWidget.shape,
    ...byCode.shape,
    ...withData.shape,
    ...asRequest.shape,
    ...byLink.shape,
  }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });
type Payment = z.output<typeof payment>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_token }) => ({ authorization: `Bearer ${api_token}` }),
  keyHeader: 'x-once',
  visible: ['payment_id', 'our_id', 'status', 'amount', 'currency', 'method', 'show', 'code'],
  reasons: new Map([[samples.sampleSpent.code, { kind: 'soft', code: 'timed_out' }]]),
});

const known = {
  found: reply(200, payment, samples.sampleFound),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getPayment = api.lookup('get-payment', '/payments/{payment_id}', known);
const findPayment = api.lookup('find-payment', '/payments/ours/{our_id}', known);

/** The facts of a purchase that the gateway is told. */
interface Purchase {
  readonly payment: {
    readonly merchantReference: string;
    readonly amount: Money;
    readonly order: { readonly currency: string };
    readonly parameters: Readonly<Record<string, string | undefined>>;
    readonly needed: {
      readonly 'customer.name'?: string;
      readonly 'customer.email'?: string;
      readonly 'billing_address.phone'?: string;
      readonly 'billing_address.country'?: string;
      readonly 'billing_address.address'?: string;
      readonly 'billing_address.city'?: string;
      readonly 'billing_address.zip'?: string;
    };
  };
  readonly urls: FlowContext<Settings>['urls'];
}
interface Opened extends Purchase {
  /** The gateway’s name of the method, which is its key. */
  readonly method: string;
  readonly challenge_id?: string;
}

const namesOf = (name: string) => {
  const { first: first_name, last: last_name } = nameParts(name);
  return { first_name, last_name };
};
const payerOf = ({ parameters, needed }: Purchase['payment']) => ({
  ...parameters,
  ...(needed['customer.name'] !== undefined && namesOf(needed['customer.name'])),
  email: needed['customer.email'],
  phone: needed['billing_address.phone'],
  country: needed['billing_address.country'],
  address: needed['billing_address.address'],
  city: needed['billing_address.city'],
  zip: needed['billing_address.zip'],
});

/** Another challenge changes nothing: one that no payment is made with is worth nothing. */
const askChallenge = api.endpoint('ask-challenge', 'POST /challenges', {
  repeat: 'safe',
  request: ({ merchantReference, amount }: Pick<Purchase['payment'], 'merchantReference' | 'amount'>) => ({
    json: { our_id: merchantReference, amount: decimal(amount), currency: amount.currency },
  }),
  reply: z.object({ challenge_id: z.string().min(1) }),
  examples: [{ body: samples.sampleChallenge }],
});

/** @param show the gateway’s word for what its reply shows the payer */
const opening = (show: string) =>
  ({
    path: '/payments',
    repeat: 'keyed',
    request: ({ method, challenge_id, payment: told, urls }: Opened) => ({
      json: {
        method,
        show,
        challenge_id,
        our_id: told.merchantReference,
        amount: decimal(told.amount),
        currency: told.order.currency,
        payer: payerOf(told),
        come_back_to: urls.return,
        tell: urls.notify,
      },
    }),
  }) as const;

const refused = reply([400, 422], problem, samples.sampleRefusal, samples.sampleSpent);
const openPage = api.endpoint({
  ...opening('page'),
  name: 'open-page',
  replies: { opened: reply(201, onPage, samples.samplePage), refused },
});
const openWidget = api.endpoint({
  ...opening('widget'),
  name: 'open-widget',
  replies: { opened: reply(201, onWidget, samples.sampleWidget), refused },
});
const openApp = api.endpoint({
  ...opening('app'),
  name: 'open-app',
  replies: { opened: reply(201, inApp, samples.sampleApp), refused },
});
const openCode = api.endpoint({
  ...opening('code'),
  name: 'open-code',
  replies: { opened: reply(201, byCode, samples.sampleCode), refused },
});
const openData = api.endpoint({
  ...opening('data'),
  name: 'open-data',
  replies: { opened: reply(201, withData, samples.sampleData), refused },
});
const askPayer = api.endpoint({
  ...opening('request'),
  name: 'ask-payer',
  replies: { opened: reply(201, asRequest, samples.samplePrompt), refused },
});
const sendLink = api.endpoint({
  ...opening('link'),
  name: 'send-link',
  replies: { opened: reply(201, byLink, samples.sampleLink), refused },
});
type Opening =
  | typeof openPage
  | typeof openWidget
  | typeof openApp
  | typeof openCode
  | typeof openData
  | typeof askPayer
  | typeof sendLink;

// Meaning of replies.

const factsOf = (said: Pick<Payment, 'payment_id' | 'status' | 'amount' | 'currency'>) => ({
  word: said.status,
  providerReference: said.payment_id,
  amount: amountOf(said),
});

function showOf(said: Payment, phone: string | undefined): Show | undefined {
  const { page_url, widget_url, app_url, code_text, pay_with, prompt, link_sent_by } = said;
  const to = phone && maskedPhone(phone);
  if (page_url !== undefined) return redirect({ url: page_url });
  if (widget_url !== undefined) return redirect({ url: widget_url, surface: 'widget' });
  if (app_url !== undefined) return redirect({ url: app_url, surface: 'app' });
  if (code_text !== undefined) return qr({ content: code_text });
  if (prompt !== undefined)
    return confirmOnDevice({ channel: 'app', message: prompt, ...(to !== undefined && { number: to }) });
  if (link_sent_by !== undefined)
    return linkSent({ channel: link_sent_by, ...(to !== undefined && link_sent_by === 'sms' && { to }) });
  if (pay_with === undefined) return undefined;
  const details = pay_with.map(({ name: label, value }) => ({ label, value, copy: true }));
  return paymentDetails({ beneficiary: undefined, details });
}

/** The payer is shown how to pay once: by the reply that opened the payment, or by the first lookup where that was lost. */
function outcomeOf(said: Payment, asked: References, phone?: string): Outcome {
  const show = asked.providerReference === undefined ? showOf(said, phone) : undefined;
  return ofThisPayment(statuses.read({ ...factsOf(said), show }), asked, said.our_id);
}

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-wallet-proof',
    key: ({ notification_key }: Settings) => notification_key,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: withAmount(z.object({ notification_id: z.string().min(1), ...reported() })),
  events: ({ notification_id, our_id, ...said }) => statuses.events(notification_id, our_id, factsOf(said)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

function open(endpoint: Opening, request: Opened): Steps<Outcome> {
  const { merchantReference, needed } = request.payment;
  return api.outcome(endpoint, request, ({ body }) =>
    outcomeOf(body, { merchantReference }, needed['billing_address.phone']),
  );
}

function* status({ payment: asked }: FlowContext<Settings> & { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const answer = yield* getOrFind(asked, { get: getPayment, find: findPayment });
  return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, asked);
}

/** @param endpoint what its reply shows the payer */
const flowsOf = ({ key: method }: { readonly key: string }, endpoint: Opening) => ({
  purchase: ({ payment: told, urls }: Purchase) => open(endpoint, { method, payment: told, urls }),
  status,
});

/** A challenge is obtained first (2-methods.md, Purchase-only customer fields). */
function* purchaseWithChallenge({ payment: told, urls }: Purchase): Steps<Outcome> {
  const { challenge_id } = yield* call(askChallenge, told);
  return yield* open(openPage, { method: methods.walletPayin.key, challenge_id, payment: told, urls });
}

/** Payments on the page, the widget or in the app of a wallet, by a code or data that are shown, by a request or by a link that the payer gets. */
export const walletGatewayConnector = defineConnector({
  id: 'wallet-gateway',
  contract: 1,
  version: manifest.version,
  title: 'Wallets, gateway',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(methods.widget, flowsOf(methods.widget, openWidget)),
    serve(methods.app, flowsOf(methods.app, openApp)),
    serve(methods.qr, flowsOf(methods.qr, openCode)),
    serve(methods.paymentDetails, flowsOf(methods.paymentDetails, openData)),
    serve(methods.countryFields, flowsOf(methods.countryFields, openPage)),
    serve(methods.documentRedirect, flowsOf(methods.documentRedirect, openPage)),
    serve(methods.documentRedirectAlt, flowsOf(methods.documentRedirectAlt, openPage)),
    serve(methods.documentRedirectTyped, flowsOf(methods.documentRedirectTyped, openPage)),
    serve(methods.memberRedirect, flowsOf(methods.memberRedirect, openPage)),
    serve(methods.walletCo, flowsOf(methods.walletCo, openPage)),
    serve(methods.walletVnA, flowsOf(methods.walletVnA, openPage)),
    serve(methods.walletVnB, flowsOf(methods.walletVnB, openPage)),
    serve(methods.walletVnC, flowsOf(methods.walletVnC, openPage)),
    serve(methods.walletPayin, { purchase: purchaseWithChallenge, status }),
    serve(methods.phoneWallet, flowsOf(methods.phoneWallet, askPayer)),
    serve(methods.phonePrompt, flowsOf(methods.phonePrompt, askPayer)),
    serve(methods.upi, flowsOf(methods.upi, askPayer)),
    serve(methods.upiAddress, flowsOf(methods.upiAddress, askPayer)),
    serve(methods.upiPersonal, flowsOf(methods.upiPersonal, askPayer)),
    serve(methods.upiPersonalAlt, flowsOf(methods.upiPersonalAlt, askPayer)),
    serve(methods.linkEmail, flowsOf(methods.linkEmail, sendLink)),
    serve(methods.linkSms, flowsOf(methods.linkSms, sendLink)),
  ],
});
