/** Models the style of a provider of deposits by bank, and no provider: its whole API is invented (README). */
import {
  amountFields,
  amountOf,
  decimal,
  defineConnector,
  field,
  getOrFind,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type PaymentInput,
  providerApi,
  type References,
  reply,
  secret,
  statusTable,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { accountShown } from './account-shown.ts';
import * as samples from './deposit.samples.ts';
import { bankDeposit } from './methods/deposit.ts';

const SOURCE = 'packages/connector-bank-transfer/README.md, Provider of deposits';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
});

const statuses = statusTable({
  expected: 'pending',
  seen: 'pending',
  credited: 'settled',
  returned: { declined: 'hard', code: 'declined_by_bank' },
  expired: { declined: 'soft', code: 'expired', reason: 'The deposit did not arrive in time.' },
});

// Replies.

const reported = () => ({
  deposit: z.string().min(1),
  order: z.string().optional(),
  status: z.string(),
  ...amountFields,
});
const deposit = withAmount(
  z.object({
    ...reported(),
    pay_before: z.iso.datetime({ offset: true }).optional(),
    pay_to: z.object({
      bank: z.string(),
      branch: z.string(),
      holder: z.string(),
      number: z.string(),
      reference: z.string().optional(),
    }),
  }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });
type Deposit = z.output<typeof deposit>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  visible: ['deposit', 'order', 'status', 'amount', 'currency', 'code'],
});

const known = {
  found: reply(200, deposit, { ...samples.sampleDeposit, status: 'credited' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getDeposit = api.lookup('get-deposit', '/deposits/{deposit}', known);
const findDeposit = api.lookup('find-deposit', '/deposits/by-order/{order}', known);

interface DepositRequest {
  readonly payment: PaymentInput<(typeof bankDeposit)['operations']['purchase']>;
  readonly reportTo: string;
}

const openDeposit = api.endpoint('open-deposit', 'POST /deposits', {
  repeat: 'keyed',
  request: ({ payment: { merchantReference, amount, order, parameters }, reportTo }: DepositRequest) => ({
    json: {
      order: merchantReference,
      amount: decimal(amount),
      currency: order.currency,
      description: order.description,
      ...parameters,
      report_to: reportTo,
    },
  }),
  replies: {
    opened: reply(201, deposit, samples.sampleDeposit),
    refused: reply([400, 422], problem, samples.sampleRefusal),
  },
});

// Meaning of replies.

const factsOf = (body: Pick<Deposit, 'status' | 'deposit' | 'amount' | 'currency'>) => ({
  word: body.status,
  providerReference: body.deposit,
  amount: amountOf(body),
});

/** Where to pay is shown once: by the reply that opened the deposit, or by the first lookup where that was lost. */
function outcomeOf(body: Deposit, asked: References): Outcome {
  const show = asked.providerReference === undefined ? accountShown(body.pay_to) : undefined;
  const payableUntil = body.pay_before && new Date(body.pay_before).toISOString();
  return ofThisPayment(statuses.read({ ...factsOf(body), show, payableUntil }), asked, body.order);
}

/** The provider signs nothing that is known, so a notification only says where to look. */
const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: withAmount(z.object(reported())),
  // It numbers no events; a deposit takes each status once.
  events: (body) => statuses.events(`${body.deposit}/${body.status}`, body.order, factsOf(body)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

/** Deposits from an account that the payer names, to one that they are then shown. */
export const bankDepositConnector = defineConnector({
  id: 'bank-deposits',
  contract: 1,
  version: manifest.version,
  title: 'Bank deposits',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(bankDeposit, {
      *purchase({ payment, urls }) {
        const { merchantReference } = payment;
        return yield* api.outcome(openDeposit, { payment, reportTo: urls.notify }, ({ body }) =>
          outcomeOf(body, { merchantReference }),
        );
      },

      *status({ payment }) {
        const answer = yield* getOrFind(payment, { get: getDeposit, find: findDeposit });
        return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
      },
    }),
  ],
});
