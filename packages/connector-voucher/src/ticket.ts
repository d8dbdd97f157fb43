// Models a style, no provider: a number and a bar code that a counter reads, of which the checkout makes a ticket (2-methods.md, Cash voucher).
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
  type References,
  reply,
  secret,
  statusTable,
  voucher,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { cashTicket } from './methods/cash-ticket.ts';
import * as samples from './ticket.samples.ts';

const SOURCE = 'packages/connector-voucher/README.md, Provider of tickets';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
});

const statuses = statusTable({
  ISSUED: 'pending',
  PAID: 'settled',
  EXPIRED: { declined: 'soft', code: 'expired', reason: 'The ticket was not paid in time.' },
  CANCELLED: { declined: 'hard', code: 'cancelled' },
});

// Replies.

const reported = () => ({ ticket_id: z.string().min(1), reference: z.string(), state: z.string(), ...amountFields });
const ticket = withAmount(
  z.object({
    ...reported(),
    number: z.string().min(1),
    // Pairs of digits: what ITF can write. More than these do not fit on a ticket so that a counter can read them.
    bar_code: z.string().regex(/^(?:\d{2}){3,24}$/),
    pay_before: z.iso.datetime({ offset: true }).optional(),
  }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });
type Ticket = z.output<typeof ticket>;
type Reported = Pick<Ticket, keyof ReturnType<typeof reported>>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  visible: ['ticket_id', 'reference', 'state', 'amount', 'currency', 'pay_before', 'code'],
  reasons: new Map([['DOCUMENT_NOT_VALID', { kind: 'soft', code: 'document_not_accepted' }]]),
  takenBefore: new Set(['REFERENCE_USED']),
});

const known = {
  found: reply(200, ticket, { ...samples.sampleTicket, state: 'PAID' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getTicket = api.lookup('get-ticket', '/tickets/{ticket_id}', known);
const findTicket = api.lookup('find-ticket', '/tickets/by-reference/{reference}', known);

interface TicketRequest {
  /** Ours, taken once. */
  readonly reference: string;
  readonly document_number: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly report_to: string;
}

const createTicket = api.endpoint('create-ticket', 'POST /tickets', {
  repeat: 'by-reference',
  request: (input: TicketRequest) => ({ json: { ...input } }),
  find: foundBy(findTicket, ({ reference }: TicketRequest) => reference),
  replies: {
    created: reply([200, 201], ticket, samples.sampleTicket),
    refused: reply([400, 409, 422], problem, samples.sampleRefusal),
  },
});

// Meaning of replies.

const factsOf = (body: Reported) => ({
  word: body.state,
  providerReference: body.ticket_id,
  amount: amountOf(body),
});

/** The ticket is shown once: by the reply that made it, or by the first lookup where that was lost. */
function outcomeOf(body: Ticket, asked: References): Outcome {
  const validUntil = body.pay_before && new Date(body.pay_before).toISOString();
  const show = voucher({
    reference: body.number,
    barcode: { symbology: 'itf', text: body.bar_code },
    ...(validUntil && { validUntil }),
  });
  const isShown = asked.providerReference !== undefined;
  const outcome = statuses.read({ ...factsOf(body), show: isShown ? undefined : show, payableUntil: validUntil });
  return ofThisPayment(outcome, asked, body.reference);
}

/** No source says that they are signed, so each only says where to look. */
const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: withAmount(z.object(reported())),
  // It numbers no events; a ticket takes each state once.
  events: (body) => statuses.events(`${body.ticket_id}/${body.state}`, body.reference, factsOf(body)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

/** Tickets with a bar code that are paid in cash at a counter. */
export const ticketVoucherConnector = defineConnector({
  id: 'voucher-ticket',
  contract: 1,
  version: manifest.version,
  title: 'Tickets paid in cash',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(cashTicket, {
      purchase: ({ payment: { merchantReference: reference, amount, order, parameters }, urls }) =>
        api.outcome(
          createTicket,
          {
            reference,
            document_number: parameters.document_number,
            amount: decimal(amount),
            currency: amount.currency,
            description: order.description,
            report_to: urls.notify,
          },
          ({ body }) => outcomeOf(body, { merchantReference: reference }),
        ),
      *status({ payment }) {
        const answer = yield* getOrFind(payment, { get: getTicket, find: findTicket });
        return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
      },
    }),
  ],
});
