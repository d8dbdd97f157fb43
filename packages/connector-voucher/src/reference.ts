// Models a style, no provider: a token, then a reference, then a payment of it (2-methods.md, Cash voucher reference flow).
import {
  amountFields,
  amountOf,
  call,
  credential,
  defineConnector,
  field,
  jsonNumber,
  type Money,
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
import { cashReference } from './methods/cash-reference.ts';
import * as samples from './reference.samples.ts';

const SOURCE = 'packages/connector-voucher/README.md, Provider of three steps';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  private_key: secret(z.string().min(1), 'Private key'),
  gateway_id: field(z.string().min(1), { label: 'Gateway id', help: 'The provider’s id of the gateway that asks.' }),
});

const statuses = statusTable({
  OPEN: 'pending',
  PAID: 'settled',
  EXPIRED: { declined: 'soft', code: 'expired', reason: 'The voucher was not paid in time.' },
  CANCELLED: { declined: 'hard', code: 'cancelled' },
});

// Replies.

const session = z.object({ authorization: z.string().min(1), expires_in: z.int().positive() });
const stated = () => ({ reference: z.string().min(1), merchant_id: z.string(), state: z.string(), ...amountFields });
const made = withAmount(z.object(stated()));
const payment = withAmount(z.object({ ...stated(), expires_at: z.iso.datetime({ offset: true }).optional() }));
const problem = z.object({ code: z.string(), message: z.string() });

type Stated = z.output<typeof made>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  keyHeader: 'idempotency-key',
  visible: ['reference', 'merchant_id', 'state', 'amount', 'currency', 'type', 'code'],
  takenBefore: new Set(['MERCHANT_ID_USED']),
});

/** The protocol names the method alone. A token that the provider takes back is renewed once. */
const authre = api.endpoint('authre', 'POST /authre', {
  repeat: 'safe',
  request: (_: void, { settings: { private_key } }) => ({ json: { private_key } }),
  reply: session,
  lifetimeSeconds: ({ expires_in }) => expires_in,
  examples: [{ body: samples.sampleToken }],
});

const by = (authorization: string) => ({ authorization });
const refused = reply([400, 402, 409, 422], problem, samples.sampleRefusal);
const lookup = {
  repeat: 'safe',
  replies: {
    found: reply(200, payment, { ...samples.samplePayment, state: 'PAID' }),
    absent: reply(404, problem, samples.sampleAbsent),
  },
} as const;

const getReference = api.endpoint({
  ...lookup,
  name: 'get-reference',
  path: '/references/{reference}',
  request: ({ token, reference }: { readonly token: string; readonly reference: string }) => ({
    params: { reference },
    headers: by(token),
  }),
});
const findReference = api.endpoint({
  ...lookup,
  name: 'find-reference',
  path: '/references/by-merchant-id/{merchant_id}',
  request: ({ token, merchant_id }: { readonly token: string; readonly merchant_id: string }) => ({
    params: { merchant_id },
    headers: by(token),
  }),
});

interface ReferenceRequest {
  readonly token: string;
  /** Ours: 36 of the 40 positions that it may have. */
  readonly merchant_id: string;
  readonly amount: Money;
}

const createReference = api.endpoint('create-reference', 'POST /references', {
  repeat: 'by-reference',
  // The currency is not among the fields of the protocol. `type`: whether it is paid once. A recurring one would take money that no session is about.
  request: ({ token, merchant_id, amount }: ReferenceRequest) => ({
    headers: by(token),
    json: { amount: jsonNumber(amount), currency: amount.currency, merchant_id, type: true },
  }),
  find: {
    endpoint: findReference,
    input: ({ token, merchant_id }: ReferenceRequest) => ({ token, merchant_id }),
    read: (answer) =>
      answer.reply === 'found' ? { found: { reply: 'created' as const, body: answer.body } } : 'absent',
  },
  replies: { created: reply([200, 201], made, samples.sampleReference), refused },
});

const createPayment = api.endpoint('create-payment', 'POST /references/{reference}/payment', {
  repeat: 'keyed',
  request: (
    { token, reference }: { readonly token: string; readonly reference: string },
    { settings: { gateway_id } },
  ) => ({ params: { reference }, headers: by(token), json: { gateway_id } }),
  replies: { created: reply([200, 201], payment, samples.samplePayment), refused },
});

// Meaning of replies.

const factsOf = ({ reference, state: word, ...amount }: Stated) => ({
  word,
  providerReference: reference,
  amount: amountOf(amount),
});

/** A lookup shows the number where the reply that had it was lost. */
function outcomeOf({ expires_at, ...body }: z.output<typeof payment>, asked: References): Outcome {
  const payableUntil = expires_at && new Date(expires_at).toISOString();
  const timed = payableUntil !== undefined && { validUntil: payableUntil };
  const show = asked.providerReference === undefined ? voucher({ reference: body.reference, ...timed }) : undefined;
  return ofThisPayment(statuses.read({ ...factsOf(body), show, payableUntil }), asked, body.merchant_id);
}

/** No source says that they are signed: each only says where to look. */
const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  address: 'at-provider',
  codec: 'json',
  body: made,
  // The provider numbers no events; a reference takes each state once.
  events: (body) => statuses.events(`${body.reference}/${body.state}`, body.merchant_id, factsOf(body)),
  examples: [{ body: { ...samples.sampleReference, state: 'PAID' }, source: SOURCE }],
});

// The connector.

/** References that the payer pays in cash at a counter, made in three steps. */
export const referenceVoucherConnector = defineConnector({
  id: 'voucher-reference',
  contract: 1,
  version: manifest.version,
  title: 'Cash vouchers in three steps',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(cashReference, {
      *purchase({ payment: { merchantReference: merchant_id, amount } }) {
        const { authorization: token } = yield* credential(authre);
        const answer = yield* call(createReference, { token, merchant_id, amount });
        if (answer.reply === 'refused') return api.refusal(answer.body);
        const { reference } = answer.body;
        // A reference of another payment is not paid here.
        const asked = { merchantReference: merchant_id };
        const opened = outcomeOf(answer.body, asked);
        if (opened.status !== 'pending') return opened;
        return yield* api.outcome(createPayment, { token, reference }, ({ body }) => outcomeOf(body, asked));
      },
      *status({ payment: looked }) {
        const { authorization: token } = yield* credential(authre);
        const { providerReference: reference, merchantReference: merchant_id } = looked;
        const answer =
          reference === undefined
            ? yield* call(findReference, { token, merchant_id })
            : yield* call(getReference, { token, reference });
        return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, looked);
      },
    }),
  ],
});
