/** Models the style of a gateway to banks' pages, and no provider: its whole API is invented (README). */
import {
  amountFields,
  amountOf,
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
  redirect,
  type References,
  reply,
  secret,
  statusTable,
  type Steps,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './gateway.samples.ts';
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

const reported = { transfer_id: z.string().min(1), our_id: z.string().optional(), state: z.string(), ...amountFields };
const transfer = withAmount(z.object({ ...reported, bank_page: z.url({ protocol: /^https?$/ }).optional() }));
const problem = z.object({ code: z.string(), message: z.string().optional() });
type Transfer = z.output<typeof transfer>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ token }) => ({ authorization: `Token ${token}` }),
  keyHeader: 'x-request-key',
  visible: ['transfer_id', 'our_id', 'state', 'amount', 'currency', 'way', 'code'],
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
  | typeof methods.bankCodeTr
  | typeof methods.walletTr
  | typeof methods.walletTh,
  'purchase'
>;

const openTransfer = api.endpoint({
  name: 'open-transfer',
  path: '/transfers',
  repeat: 'keyed',
  request: ({ way, payment, urls }: Pick<Purchase, 'payment' | 'urls'> & { readonly way: string }) => ({
    json: {
      way,
      our_id: payment.merchantReference,
      amount: decimal(payment.amount),
      currency: payment.order.currency,
      payer: payment.parameters,
      back_to: urls.return,
      report_to: urls.notify,
    },
  }),
  replies: {
    opened: reply(201, transfer, samples.sampleTransfer),
    refused: reply([400, 422], problem, samples.sampleRefusal),
  },
});

// Meaning of replies.

const factsOf = (body: Omit<Transfer, 'bank_page'>) => ({
  word: body.state,
  providerReference: body.transfer_id,
  amount: amountOf(body),
});

/** The way to the bank is shown once: by the reply that opened the transfer, or by the first lookup where that was lost. */
function outcomeOf(body: Transfer, asked: References): Outcome {
  const { bank_page: url, our_id } = body;
  const show = url === undefined || asked.providerReference !== undefined ? undefined : redirect({ url });
  return ofThisPayment(statuses.read({ ...factsOf(body), show }), asked, our_id);
}

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-transfer-signature',
    key: ({ signing_secret }: Settings) => signing_secret,
  },
  codec: 'json',
  body: withAmount(z.object({ event: z.string().min(1), ...reported })),
  events: ({ event, ...body }) => statuses.events(event, body.our_id, factsOf(body)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

/** @param way the gateway’s name of the method, which is ours */
const flowsOf = (way: string) => ({
  *purchase({ payment, urls }: Purchase): Steps<Outcome> {
    const { merchantReference } = payment;
    return yield* api.outcome(openTransfer, { way, payment, urls }, ({ body }) =>
      outcomeOf(body, { merchantReference }),
    );
  },

  *status({ payment }: FlowContext<Settings> & { readonly payment: LookedUpPayment }): Steps<Outcome> {
    const answer = yield* getOrFind(payment, { get: getTransfer, find: findTransfer });
    return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
  },
});

/** Transfers that the payer makes on a page of the bank, in AR, MX, TH and TR. */
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
  ],
});
