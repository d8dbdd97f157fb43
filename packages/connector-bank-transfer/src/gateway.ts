/** Models the style of a gateway to banks' pages, and no provider: its whole API is invented (README). */
import {
  amountFields,
  amountOf,
  call,
  collect,
  declined,
  confirmOnDevice,
  type ContextOf,
  decimal,
  defineConnector,
  field,
  type FlowContext,
  getOrFind,
  type LookedUpPayment,
  notificationsFor,
  ofThisPayment,
  type Outcome,
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
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './gateway.samples.ts';
import { accountShown } from './account-shown.ts';
import { bankRedirect } from './methods/by-country.ts';
import * as methods from './methods/gateway.ts';

const SOURCE = 'packages/connector-bank-transfer/README.md, Gateway to banks';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the gateway’s API' }),
  token: secret(z.string().min(1), 'Token of the shop'),
  signing_secret: secret(z.string().min(16), 'Secret that signs notifications'),
});
type Settings = z.output<typeof settings>;

const statuses = statusTable({
  opened: 'pending',
  at_bank: 'pending',
  done: 'settled',
  refused: { declined: 'soft', code: 'declined_by_bank' },
  too_late: { declined: 'soft', code: 'timed_out' },
  stopped: { declined: 'soft', code: 'cancelled_by_payer' },
});

// Replies.

const reported = () => ({
  transfer_id: z.string().min(1),
  our_id: z.string().optional(),
  state: z.string(),
  ...amountFields,
});
/** Each way to pay has one of these. */
const onPage = withAmount(z.object({ ...reported(), bank_page: z.url({ protocol: /^https?$/ }).optional() }));
const byCode = withAmount(z.object({ ...reported(), qr_text: z.string().min(1).optional() }));
const byPrompt = withAmount(z.object({ ...reported(), prompt: z.string().min(1).optional() }));
const byCountry = withAmount(
  z.object({
    ...onPage.shape,
    /** Where the country has no page to go to. */
    pay_to: z
      .object({ bank: z.string(), holder: z.string(), number: z.string(), reference: z.string().optional() })
      .optional(),
  }),
);
const transfer = withAmount(
  z.object({
    ...byCountry.shape,
    ...byCode.shape,
    ...byPrompt.shape,
  }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });
type Transfer = z.output<typeof transfer>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ token }) => ({ authorization: `Token ${token}` }),
  keyHeader: 'x-request-key',
  visible: ['transfer_id', 'our_id', 'state', 'amount', 'currency', 'way', 'country', 'bank', 'code'],
  reasons: new Map([['document_refused', { kind: 'soft', code: 'document_not_accepted' }]]),
});

const known = {
  found: reply(200, transfer, { ...samples.sampleTransfer, state: 'done' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getTransfer = api.lookup('get-transfer', '/transfers/{transfer_id}', known);
const findTransfer = api.lookup('find-transfer', '/transfers/ours/{our_id}', known);

type Purchase = ContextOf<
  Settings,
  | typeof methods.bankAr
  | typeof methods.bankMx
  | typeof methods.bankAccount
  | typeof methods.bankCodeTr
  | typeof methods.ibanTr
  | typeof methods.qrTh
  | typeof methods.walletTr
  | typeof methods.walletTh,
  'purchase'
>;

type PurchaseByCountry = ContextOf<Settings, typeof bankRedirect, 'purchase'>;

interface Opening extends Pick<Purchase, 'urls'> {
  readonly way: string;
  readonly country?: string;
  readonly payment: Pick<Purchase['payment'], 'merchantReference' | 'amount' | 'order'>;
  readonly payer: Purchase['payment']['parameters'] | PurchaseByCountry['payment']['parameters'];
}

const refused = reply([400, 422], problem, samples.sampleRefusal);
const opening = {
  path: '/transfers',
  repeat: 'keyed',
  request: ({ way, country, payment, payer, urls }: Opening) => ({
    json: {
      way,
      country,
      our_id: payment.merchantReference,
      amount: decimal(payment.amount),
      currency: payment.order.currency,
      payer,
      back_to: urls.return,
      report_to: urls.notify,
    },
  }),
} as const;
const openTransfer = api.endpoint({
  ...opening,
  name: 'open-transfer',
  replies: { opened: reply(201, onPage, samples.sampleTransfer), refused },
});
const openCode = api.endpoint({
  ...opening,
  name: 'open-code',
  replies: { opened: reply(201, byCode, samples.sampleCode), refused },
});
const openPrompt = api.endpoint({
  ...opening,
  name: 'open-prompt',
  replies: { opened: reply(201, byPrompt, samples.samplePrompt), refused },
});
const openByCountry = api.endpoint({
  ...opening,
  name: 'open-by-country',
  replies: { opened: reply(201, byCountry, samples.sampleTransfer, samples.sampleDetails), refused },
});

const listBanks = api.endpoint('list-banks', 'GET /banks/{country}', {
  repeat: 'safe',
  request: (country: string) => ({ params: { country } }),
  reply: z.object({ banks: z.array(z.object({ code: z.string().min(1).max(255), name: z.string().min(1) })) }),
  examples: [{ body: samples.sampleBanks }],
});

// Meaning of replies.

const factsOf = (body: Pick<Transfer, 'state' | 'transfer_id' | 'amount' | 'currency'>) => ({
  word: body.state,
  providerReference: body.transfer_id,
  amount: amountOf(body),
});

function showOf({ bank_page: url, qr_text: content, prompt: message, pay_to: account }: Transfer): Show | undefined {
  if (account !== undefined) return accountShown(account);
  if (url !== undefined) return redirect({ url });
  if (content !== undefined) return qr({ content });
  return message === undefined ? undefined : confirmOnDevice({ channel: 'app', message });
}

/** The way to pay is shown once: by the reply that opened the transfer, or by the first lookup where that was lost. */
function outcomeOf(body: Transfer, asked: References): Outcome {
  const show = asked.providerReference === undefined ? showOf(body) : undefined;
  return ofThisPayment(statuses.read({ ...factsOf(body), show }), asked, body.our_id);
}

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-transfer-signature',
    key: ({ signing_secret }: Settings) => signing_secret,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: withAmount(z.object({ event: z.string().min(1), ...reported() })),
  events: ({ event, ...body }) => statuses.events(event, body.our_id, factsOf(body)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

function* status({ payment }: FlowContext<Settings> & { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const answer = yield* getOrFind(payment, { get: getTransfer, find: findTransfer });
  return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
}

const choice = z.strictObject({
  bank: field(z.string(), { label: { en: 'Your bank', pt: 'Seu banco' }, input: 'select' }),
});

/**
 * @param way the gateway’s name of the method, which is ours
 * @param endpoint what its reply shows the payer
 */
const flowsOf = (way: string, endpoint: typeof openTransfer | typeof openCode | typeof openPrompt = openTransfer) => ({
  *purchase({ payment, urls }: Purchase): Steps<Outcome> {
    const { merchantReference } = payment;
    return yield* api.outcome(endpoint, { way, payment, payer: payment.parameters, urls }, ({ body }) =>
      outcomeOf(body, { merchantReference }),
    );
  },

  status,
});

/** The bank that the payer chooses from the gateway’s list, or nothing where it lists none. */
function* chosenBank(country: string): Steps<string | undefined> {
  const { banks } = yield* call(listBanks, country);
  if (banks.length === 0) return undefined;
  const options = { bank: banks.map(({ code: value, name: label }) => ({ value, label })) };
  return (yield* collect({ step: 'bank', fields: choice, options, mayTurnBack: true })).bank;
}

/** Mexico has no choice of banks. */
function* purchaseByCountry({ payment, urls }: PurchaseByCountry): Steps<Outcome> {
  const { merchantReference, parameters, variant: country } = payment;
  const needsBank = country !== 'MX';
  const bank = needsBank ? (parameters.bank ?? (yield* chosenBank(country))) : undefined;
  if (needsBank && bank === undefined)
    return declined('soft', 'provider_unavailable', { reason: 'No bank of the country takes payments now.' });
  const input = { way: 'bank-redirect', country, payment, payer: { ...parameters, bank }, urls };
  return yield* api.outcome(openByCountry, input, ({ body }) => outcomeOf(body, { merchantReference }));
}

/** Transfers that the payer makes on a page of the bank, in its app or by a code, in AR, CL, CO, MX, PE, TH, TR and from any account with a SWIFT code. */
export const bankGatewayConnector = defineConnector({
  id: 'bank-gateway',
  contract: 1,
  version: manifest.version,
  title: 'Bank transfers, gateway to banks',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(methods.bankAr, flowsOf('bank-ar')),
    serve(methods.bankMx, flowsOf('bank-mx')),
    serve(methods.bankCodeTr, flowsOf('bank-code-tr')),
    serve(methods.walletTr, flowsOf('wallet-tr')),
    serve(methods.walletTh, flowsOf('wallet-th')),
    serve(methods.qrTh, flowsOf('qr-th', openCode)),
    serve(methods.ibanTr, flowsOf('iban-tr')),
    serve(methods.bankAccount, flowsOf('bank-account', openPrompt)),
    serve(bankRedirect, { purchase: purchaseByCountry, status }),
  ],
});
