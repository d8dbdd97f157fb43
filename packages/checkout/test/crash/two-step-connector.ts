import {
  call,
  collect,
  declined,
  decimal,
  defineConnector,
  defineMethod,
  providerApi,
  field,
  type FlowContext,
  type LookedUpPayment,
  money,
  type Outcome,
  type PaymentInput,
  type PlainOperation,
  statusTable,
  type Steps,
  unknown,
} from '@railyard/core';
import * as z from 'zod';

const settings = z.object({ base_url: z.url() });
const { endpoint } = providerApi(settings, { source: 'a test' });

const entry = z.object({ id: z.string(), status: z.string(), amount: z.string() });
const problem = z.object({ code: z.string() });

const find = endpoint({
  name: 'find',
  path: '/by-reference/{reference}',
  repeat: 'safe',
  request: (reference: string) => ({ params: { reference } }),
  replies: { found: { status: 200, body: entry }, absent: { status: 404, body: problem } },
});

const reserve = endpoint({
  name: 'reserve',
  method: 'POST',
  path: '/reserve',
  repeat: 'by-reference',
  request: (input: { readonly reference: string; readonly amount: string }) => ({ json: input }),
  find: {
    endpoint: find,
    input: ({ reference }) => reference,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'reserved', body: answer.body } } : 'absent'),
  },
  replies: { reserved: { status: 200, body: entry }, refused: { status: 422, body: problem } },
});

/** Each one that arrives takes money: it may be sent once. */
const confirm = endpoint({
  name: 'confirm',
  method: 'POST',
  path: '/confirm',
  repeat: 'once',
  request: (input: { readonly id: string; readonly code: string }) => ({ json: input }),
  replies: { confirmed: { status: 200, body: entry }, refused: { status: 422, body: problem } },
});

const statuses = statusTable({
  RESERVED: 'pending',
  CHARGED: 'settled',
  LAPSED: { declined: 'soft', code: 'expired', reason: 'The reservation ran out.' },
});

const plain = { parameters: z.strictObject({}), completion: [] };

const twoStep = defineMethod({
  key: 'two-step',
  title: 'Two steps',
  operations: { purchase: plain },
  currencies: ['BRL'],
});

type Context = FlowContext<unknown>;

function* purchase({ payment }: Context & { readonly payment: PaymentInput<PlainOperation> }): Steps<Outcome> {
  const reserved = yield* call(reserve, { reference: payment.merchantReference, amount: decimal(payment.amount) });
  if (reserved.reply === 'refused') return declined('hard', 'declined_by_provider', { reason: 'Refused.' });
  const { code } = yield* collect({ fields: z.strictObject({ code: field(z.string().min(1), { label: 'Code' }) }) });
  const confirmed = yield* call(confirm, { id: reserved.body.id, code });
  if (confirmed.reply === 'refused') return declined('soft', 'expired', { reason: 'The reservation ran out.' });
  return outcomeOf(confirmed.body);
}

function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const found = yield* call(find, payment.merchantReference);
  return found.reply === 'found' ? outcomeOf(found.body) : unknown('Not there.');
}

function outcomeOf({ id, status, amount }: z.output<typeof entry>): Outcome {
  return statuses.read({ word: status, providerReference: id, amount: money(amount, 'BRL') });
}

/** Test-only: two calls of the provider with a next action of the payer between them. */
export const twoStepConnector = defineConnector({
  id: 'two-step',
  contract: 1,
  version: '1.0.0',
  title: 'Two steps',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [reserve, confirm, find],
  statuses,
  serves: (serve) => [serve(twoStep, { purchase, status })],
});
