// Models a style, no provider: one that makes and redeems each kind of voucher by one request, with a key and a secret (2-methods.md, Authentication).
import {
  amountFields,
  amountOf,
  type ContextOf,
  decimal,
  defineConnector,
  field,
  type FollowUpFlows,
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
  type Show,
  statusTable,
  voucher as voucherShown,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './gateway.samples.ts';
import { cashTicket } from './methods/cash-ticket.ts';
import { barePin, pinVoucher } from './methods/pin-voucher.ts';
import { voucherRedirect } from './methods/voucher-redirect.ts';

const SOURCE = 'packages/connector-voucher/README.md, Gateway of vouchers';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  api_secret: secret(z.string().min(1), 'API secret'),
});
type Settings = z.output<typeof settings>;

const statuses = statusTable({
  open: 'pending',
  paid: 'settled',
  expired: { declined: 'soft', code: 'expired', reason: 'The voucher was not paid in time.' },
  cancelled: { declined: 'soft', code: 'cancelled_by_payer' },
  failed: { declined: 'soft', code: 'not_completed' },
  blocked: { declined: 'hard', code: 'declined_by_provider' },
});

// Replies.

const reported = () => ({ voucher_id: z.string().min(1), reference: z.string(), state: z.string(), ...amountFields });
const notified = withAmount(z.object(reported()));
const voucher = withAmount(
  z.object({
    ...reported(),
    page: z.url({ protocol: /^https?$/ }).optional(),
    ticket: z
      .object({
        number: z.string().min(1),
        // Pairs of digits: what ITF can write. More than these do not fit on a ticket so that a counter can read them.
        bar_code: z.string().regex(/^(?:\d{2}){3,24}$/),
        pay_before: z.iso
          .datetime({ offset: true })
          .transform((text) => new Date(text).toISOString())
          .optional(),
      })
      .optional(),
  }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });
type Voucher = z.output<typeof voucher>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  // Both on every request (2-methods.md, Authentication).
  headers: ({ api_key, api_secret }) => ({ 'x-api-key': api_key, 'x-api-secret': api_secret }),
  visible: ['way', 'voucher_id', 'reference', 'state', 'amount', 'currency', 'ticket.pay_before', 'code'],
  reasons: new Map([
    ['document_not_valid', { kind: 'soft', code: 'document_not_accepted' }],
    ['pin_unknown', { kind: 'soft', code: 'wrong_pin' }],
    ['pin_used', { kind: 'soft', code: 'declined_by_provider', reason: 'The voucher was redeemed before.' }],
    ['voucher_expired', { kind: 'soft', code: 'declined_by_provider', reason: 'The voucher has expired.' }],
    [
      'value_too_low',
      { kind: 'soft', code: 'insufficient_funds', reason: 'The voucher is worth less than the amount.' },
    ],
    ['other_currency', { kind: 'soft', code: 'not_supported', reason: 'The voucher has another currency.' }],
  ]),
  takenBefore: new Set(['reference_used']),
});

const known = {
  found: reply(200, voucher, { ...samples.samplePage, state: 'paid' }, samples.sampleTicket),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getVoucher = api.lookup('get-voucher', '/vouchers/{voucher_id}', known);
const findVoucher = api.lookup('find-voucher', '/vouchers/by-reference/{reference}', known);

interface VoucherRequest {
  /** The key of the method. */
  readonly way: string;
  /** Ours, taken once. */
  readonly reference: string;
  readonly document_number?: string;
  readonly pin?: string;
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
  find: foundBy(findVoucher, ({ reference }: VoucherRequest) => reference),
  replies: {
    created: reply([200, 201], voucher, samples.samplePage, samples.sampleTicket, samples.sampleRedeemed),
    refused: reply([400, 402, 409, 422], problem, samples.sampleRefusal, samples.samplePinUnknown),
  },
});

// Meaning of replies.

const factsOf = (body: z.output<typeof notified>) => ({
  word: body.state,
  providerReference: body.voucher_id,
  amount: amountOf(body),
});

type ShowOf = (body: Voucher) => Show | undefined;

const pageOf: ShowOf = ({ page: url }) => (url === undefined ? undefined : redirect({ url }));

const ticketOf: ShowOf = ({ ticket }) =>
  ticket &&
  voucherShown({
    reference: ticket.number,
    barcode: { symbology: 'itf', text: ticket.bar_code },
    ...(ticket.pay_before && { validUntil: ticket.pay_before }),
  });

/** The reply to a PIN is the result. */
const nothing: ShowOf = () => undefined;

/** A voucher is shown once: by the reply that made it, or by the first lookup where that was lost. */
function outcomeOf(body: Voucher, asked: References, showOf: ShowOf): Outcome {
  const show = asked.providerReference === undefined ? showOf(body) : undefined;
  const payableUntil = body.ticket?.pay_before;
  return ofThisPayment(statuses.read({ ...factsOf(body), show, payableUntil }), asked, body.reference);
}

/** No source says that they are signed: each only says where to look. */
const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: notified,
  // The provider numbers no events; a voucher takes each state once.
  events: (body) => statuses.events(`${body.voucher_id}/${body.state}`, body.reference, factsOf(body)),
  examples: [{ body: samples.sampleRedeemed, source: SOURCE }],
});

// The connector.

type Method = typeof cashTicket | typeof pinVoucher | typeof voucherRedirect;
type Purchase = Pick<ContextOf<Settings, Method, 'purchase'>, 'payment' | 'urls'>;

type Way = Pick<VoucherRequest, 'way' | 'document_number' | 'pin'>;

function create({ payment, urls }: Purchase, of: Way, showOf: ShowOf) {
  const { merchantReference: reference, amount, order } = payment;
  const request = {
    ...of,
    reference,
    amount: decimal(amount),
    currency: amount.currency,
    description: order.description,
    return_url: urls.return,
    notify_url: urls.notify,
  };
  return api.outcome(createVoucher, request, ({ body }) => outcomeOf(body, { merchantReference: reference }, showOf));
}

const followUps = (showOf: ShowOf) =>
  ({
    *status({ payment }) {
      const answer = yield* getOrFind(payment, { get: getVoucher, find: findVoucher });
      return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment, showOf);
    },
  }) satisfies FollowUpFlows<Settings>;

/** Vouchers on the provider's page, tickets with a bar code that are paid in cash at a counter, and vouchers that are redeemed by a PIN. */
export const voucherGatewayConnector = defineConnector({
  id: 'voucher-gateway',
  contract: 1,
  version: manifest.version,
  title: 'Gateway of vouchers',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(voucherRedirect, {
      purchase: (context) => create(context, { way: 'voucher-redirect' }, pageOf),
      ...followUps(pageOf),
    }),
    serve(cashTicket, {
      purchase: (context) => {
        const { document_number } = context.payment.parameters;
        return create(context, { way: 'cash-ticket', document_number }, ticketOf);
      },
      ...followUps(ticketOf),
    }),
    serve(pinVoucher, {
      purchase: (context) => {
        const pin = barePin(context.payment.parameters.pin);
        return create(context, { way: 'pin-voucher', pin }, nothing);
      },
      ...followUps(nothing),
    }),
  ],
});
