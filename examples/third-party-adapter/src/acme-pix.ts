import { pix } from '@railyard/connector-pix/methods';
import {
  call,
  decimal,
  defineConnector,
  field,
  fromDecimal,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
  qr,
  refusedBy,
  secret,
  statusTable,
  timestampedHmac,
} from '@railyard/core';
import { z } from 'zod';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});

const statuses = statusTable({
  waiting: 'pending',
  paid: 'settled',
  returned: 'settled',
  expired: { declined: 'soft', code: 'expired', reason: 'The code expired before it was paid.' },
});

// Replies.

/** A Pix code, or money that went back. */
const transfer = z.object({
  id: z.string(),
  our_id: z.string(),
  state: z.string(),
  total: z.string(),
  code: z.string().optional(),
});
const problem = z.object({ error: z.string() });

// Endpoints.

/** Where what stands here comes from. */
const source = 'the provider’s manual, chapter 2';

const api = providerApi(settings, {
  source,
  headers: ({ api_key }) => ({ authorization: `Bearer ${api_key}` }),
  keyHeader: 'idempotency-key',
  visible: ['id', 'our_id', 'state', 'total', 'error'],
});

const replies = { created: { status: 201, body: transfer }, refused: { status: 422, body: problem } } as const;
const sampleCode = { id: 'c-1', our_id: 'a-1', state: 'waiting', total: '10.00', code: '00020101021226PIX' };
const sampleReturn = { id: 'r-1', our_id: 'b-1', state: 'returned', total: '4.00' };
const absent = { error: 'unknown' };

interface CodeRequest {
  readonly our_id: string;
  readonly total: string;
  readonly currency: string;
  readonly payer_document?: string;
  readonly hook: string;
}

const createCode = api.endpoint('create-code', 'POST /codes', {
  repeat: 'keyed',
  request: (input: CodeRequest) => ({ json: { ...input } }),
  replies,
  examples: [
    { is: 'created', status: 201, body: sampleCode },
    { is: 'refused', status: 422, body: { error: 'document' } },
  ],
});

const findCode = api.lookup('find-code', '/codes/{our_id}', {
  found: transfer,
  absent: problem,
  samples: { found: sampleCode, absent },
});

const createReturn = api.endpoint('create-return', 'POST /codes/{code}/returns', {
  repeat: 'keyed',
  request: ({ code, ...json }: { code: string; our_id: string; total: string }) => ({
    params: { code },
    json,
  }),
  replies,
  examples: [
    { is: 'created', status: 201, body: sampleReturn },
    { is: 'refused', status: 422, body: { error: 'too_much' } },
  ],
});

const findReturn = api.lookup('find-return', '/returns/{our_id}', {
  found: transfer,
  absent: problem,
  samples: { found: sampleReturn, absent },
});

// Meaning of replies.

type Transfer = z.output<typeof transfer>;

/** The outcome of the provider's reply; unknown where the reply is about another payment. */
function outcomeOf(reply: Transfer, merchantReference: string): Outcome {
  const show = reply.code === undefined ? undefined : qr({ content: reply.code });
  return ofThisPayment(statuses.read({ ...factsOf(reply), show }), { merchantReference }, reply.our_id);
}

const factsOf = ({ id, state, total }: Transfer) => ({
  word: state,
  providerReference: id,
  amount: fromDecimal(total, 'BRL'),
});

const notifications = notificationsFor(settings)({
  verify: timestampedHmac(({ webhook_secret }) => webhook_secret),
  vectors: { none: 'The provider is made up for this example, and no library signs for it.' },
  codec: 'json',
  body: z.object({ event: z.string(), code: transfer }),
  events: ({ event, code }) => statuses.events(event, code.our_id, factsOf(code)),
  examples: [{ body: { event: 'e-1', code: { id: 'c-1', our_id: 'a-1', state: 'paid', total: '10.00' } }, source }],
});

// The connector.

/** The method, its parameters, limits and messages are those of `@railyard/connector-pix`; only the provider is another one. */
export const acmePixConnector = defineConnector({
  id: 'acme-pix',
  contract: 1,
  version: '1.0.0',
  title: 'Acme Pix',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(pix, {
      *purchase({ payment, urls }) {
        const { debtor_document } = payment.parameters;
        const answer = yield* call(createCode, {
          our_id: payment.merchantReference,
          total: decimal(payment.amount),
          currency: payment.order.currency,
          ...(debtor_document !== undefined && { payer_document: debtor_document }),
          hook: urls.notify,
        });
        if (answer.reply === 'refused') return refusedBy({ code: answer.body.error });
        return outcomeOf(answer.body, payment.merchantReference);
      },

      *status({ payment: { merchantReference: reference } }) {
        const answer = yield* call(findCode, reference);
        return answer.reply === 'found' ? outcomeOf(answer.body, reference) : notFound({ code: answer.body.error });
      },

      refund: {
        partial: true,
        *flow({ payment, id, amount }) {
          const asked = { code: payment.providerReference, our_id: id, total: decimal(amount) };
          const answer = yield* call(createReturn, asked);
          if (answer.reply === 'refused') return refusedBy({ code: answer.body.error });
          return outcomeOf(answer.body, id);
        },
      },

      *modificationStatus({ modification: { id } }) {
        const answer = yield* call(findReturn, id);
        return answer.reply === 'found' ? outcomeOf(answer.body, id) : notFound({ code: answer.body.error });
      },
    }),
  ],
});
