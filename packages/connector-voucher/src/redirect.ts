// Models a style, no provider: one that wants a key and a secret on every request and shows the voucher on its own page.
import {
  amountFields,
  amountOf,
  decimal,
  defineConnector,
  field,
  foundBy,
  getOrFind,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
  redirect,
  type References,
  reply,
  secret,
  statusTable,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { voucherRedirect } from './methods/voucher-redirect.ts';
import * as samples from './redirect.samples.ts';

const SOURCE = 'packages/connector-voucher/README.md, Provider with two headers';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  api_secret: secret(z.string().min(1), 'API secret'),
});

const statuses = statusTable({
  open: 'pending',
  paid: 'settled',
  expired: { declined: 'soft', code: 'expired', reason: 'The voucher was not paid in time.' },
  cancelled: { declined: 'soft', code: 'cancelled_by_payer' },
  blocked: { declined: 'hard', code: 'declined_by_provider' },
});

// Replies.

const shared = () => ({
  voucher_id: z.string().min(1),
  merchant_reference: z.string(),
  state: z.string(),
  ...amountFields,
});
const notified = withAmount(z.object(shared()));
const voucher = withAmount(z.object({ ...shared(), page: z.url({ protocol: /^https?$/ }).optional() }));
const problem = z.object({ code: z.string(), message: z.string() });

type Voucher = z.output<typeof voucher>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  // Both on every request (2-methods.md, Authentication).
  headers: ({ api_key, api_secret }) => ({ 'x-api-key': api_key, 'x-api-secret': api_secret }),
  visible: ['voucher_id', 'merchant_reference', 'state', 'amount', 'currency', 'code'],
});

const replies = {
  found: reply(200, voucher, { ...samples.sampleVoucher, state: 'paid' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getVoucher = api.lookup('get-voucher', '/vouchers/{id}', replies);
const findVoucher = api.lookup('find-voucher', '/vouchers/by-reference/{reference}', replies);

interface VoucherRequest {
  /** Ours, taken once. */
  readonly merchant_reference: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly return_url: string;
  readonly notify_url: string;
}

const createVoucher = api.endpoint('create-voucher', 'POST /vouchers', {
  repeat: 'by-reference',
  request: (input: VoucherRequest) => ({ json: { ...input } }),
  find: foundBy(findVoucher, ({ merchant_reference }: VoucherRequest) => merchant_reference),
  replies: {
    created: reply([200, 201], voucher, samples.sampleVoucher),
    refused: reply([400, 402, 409, 422], problem, samples.sampleRefusal),
  },
});

// Meaning of replies.

const factsOf = ({ voucher_id, state: word, ...amount }: z.output<typeof notified>) => ({
  word,
  providerReference: voucher_id,
  amount: amountOf(amount),
});

/** A lookup sends the payer nowhere, unless the reply that would have done it was lost. */
function outcomeOf({ page, ...body }: Voucher, asked: References): Outcome {
  const show = page === undefined || asked.providerReference !== undefined ? undefined : redirect({ url: page });
  return ofThisPayment(statuses.read({ ...factsOf(body), show }), asked, body.merchant_reference);
}

/** No source says that they are signed: each only says where to look. */
const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: notified,
  // The provider numbers no events; a voucher takes each state once.
  events: (body) => statuses.events(`${body.voucher_id}/${body.state}`, body.merchant_reference, factsOf(body)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

/** Vouchers on the pages of a provider that wants two headers. */
export const redirectVoucherConnector = defineConnector({
  id: 'voucher-redirect',
  contract: 1,
  version: manifest.version,
  title: 'Vouchers on the provider’s page',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(voucherRedirect, {
      purchase: ({ payment: { merchantReference: merchant_reference, amount, order }, urls }) =>
        api.outcome(
          createVoucher,
          {
            merchant_reference,
            amount: decimal(amount),
            currency: amount.currency,
            description: order.description,
            return_url: urls.return,
            notify_url: urls.notify,
          },
          ({ body }) => outcomeOf(body, { merchantReference: merchant_reference }),
        ),
      *status({ payment }) {
        const answer = yield* getOrFind(payment, { get: getVoucher, find: findVoucher });
        return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
      },
    }),
  ],
});
