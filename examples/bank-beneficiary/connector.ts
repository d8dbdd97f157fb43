import {
  call,
  collect,
  decimal,
  declined,
  defineConnector,
  providerApi,
  field,
  fromDecimal,
  type Money,
  secret,
  statusTable,
  type Steps,
  unknown,
} from '@railyard/core';
import { z } from 'zod';
import { bankBeneficiary } from './methods.ts';

const settings = z.object({ base_url: z.url(), api_key: secret(z.string(), 'API key') });

const statuses = statusTable({
  DONE: 'settled',
  WAITING: 'pending',
  REFUSED: { declined: 'soft', code: 'declined_by_bank', reason: 'The bank refused the transfer.' },
});

// Replies.

const payment = z.object({ id: z.string(), status: z.string(), challenge: z.string().optional() });
const accepted = z.object({});
const wrong = z.object({ attempts_left: z.number() });
const locked = z.object({});

// Endpoints.

const api = providerApi(settings, {
  source: 'the provider of this example',
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
});

const logIn = api.endpoint('log-in', 'POST /logins', {
  repeat: 'keyed',
  request: (user: string, { key }) => ({ headers: { 'idempotency-key': key }, json: { user } }),
  reply: z.object({ login: z.string(), challenge: z.string().optional() }),
  examples: [{ body: { login: 'l-1', challenge: 'ch-1' } }],
});

const listAccounts = api.endpoint('list-accounts', 'GET /logins/{login}/accounts', {
  repeat: 'safe',
  request: (login: string) => ({ params: { login } }),
  reply: z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })).min(1) }),
  examples: [{ body: { accounts: [{ id: 'acc-1', name: 'Current account' }] } }],
});

const findPayment = api.endpoint('find-payment', 'GET /payments', {
  repeat: 'safe',
  request: (reference: string) => ({ query: { reference } }),
  reply: z.object({ payments: z.array(payment.extend({ amount: z.string(), currency: z.string() })) }),
  examples: [{ body: { payments: [{ id: 'b-1', status: 'DONE', amount: '25.00', currency: 'USD' }] } }],
});

const pay = api.endpoint('pay', 'POST /payments', {
  repeat: 'by-reference',
  request: (input: { login: string; account: string; to: string; reference: string; amount: Money }) => ({
    json: { ...input, amount: decimal(input.amount), currency: input.amount.currency },
  }),
  find: {
    endpoint: findPayment,
    input: ({ reference }) => reference,
    read: ({ payments: [found] }) => (found === undefined ? 'absent' : { found }),
  },
  reply: payment,
  examples: [{ body: { id: 'b-1', status: 'WAITING', challenge: 'ch-2' } }],
});

interface CodeAnswer {
  readonly challenge: string;
  readonly code: string;
}

const findAnswer = api.endpoint('find-answer', 'GET /challenges/{challenge}/answers/{answer}', {
  repeat: 'safe',
  request: (params: { challenge: string; answer: string }) => ({ params }),
  replies: {
    accepted: { status: 200, where: { result: 'accepted' }, body: accepted },
    wrong: { status: 200, where: { result: 'wrong' }, body: wrong },
    locked: { status: 200, where: { result: 'locked' }, body: locked },
    absent: { status: 404, body: z.object({}) },
  },
  examples: [
    { is: 'accepted', body: { result: 'accepted' } },
    { is: 'absent', status: 404, body: {} },
  ],
});

const submitCode = api.endpoint({
  name: 'submit-code',
  path: '/challenges/{challenge}/answers',
  // A refused repeat would not say whether the code before it was right: the bank is asked what became of this answer.
  repeat: 'by-reference',
  request: ({ challenge, code }: CodeAnswer, { key }) => ({
    params: { challenge },
    json: { code, answer_id: key },
  }),
  find: {
    endpoint: findAnswer,
    input: ({ challenge }, { key }) => ({ challenge, answer: key }),
    read: (found) => (found.reply === 'absent' ? 'absent' : { found }),
  },
  replies: {
    accepted: { status: 200, body: accepted },
    // The bank checks a code once, and refuses another one under the same id with 409: `wrong` is about this very code.
    wrong: { status: 422, where: { error: 'wrong' }, refuses: false, body: wrong },
    locked: { status: 422, where: { error: 'locked' }, body: locked },
  },
  examples: [
    { is: 'accepted', body: {} },
    { is: 'wrong', status: 422, body: { error: 'wrong', attempts_left: 2 } },
    { is: 'locked', status: 422, body: { error: 'locked' } },
  ],
});

const resendCode = api.endpoint('resend-code', 'POST /challenges/{challenge}/resend', {
  repeat: 'keyed',
  request: (challenge: string, { key }) => ({
    params: { challenge },
    headers: { 'idempotency-key': key },
  }),
  reply: z.object({}),
  examples: [{ body: {} }],
});

// Meaning of replies.

const declinedAsLocked = (reference?: string) =>
  declined('soft', 'authentication_failed', {
    reason: 'The bank locked the access after too many wrong codes.',
    ...(reference !== undefined && { providerReference: reference }),
  });

// The connector.

const user = z.strictObject({ user: field(z.string().min(3).max(40), { label: 'User name at your bank' }) });
const account = z.strictObject({ account: field(z.string(), { label: 'Pay from', input: 'select' }) });
const code = z.strictObject({
  code: field(z.string().regex(/^\d{6}$/), {
    label: 'Code from your bank',
    input: 'code',
    autocomplete: 'one-time-code',
  }),
});

/** The bank may ask for a code at any stage; the payer may mistype it or wait for it in vain. */
function* confirm(challenge: string | undefined): Steps<'confirmed' | 'locked'> {
  let error: string | undefined;
  while (challenge !== undefined) {
    const answer = yield* collect({ step: 'code', fields: code, resend: true, mayTurnBack: true, error });
    error = undefined;
    if (answer.resend) {
      yield* call(resendCode, challenge);
      continue;
    }
    const checked = yield* call(submitCode, { challenge, code: answer.values.code });
    if (checked.reply === 'accepted') break;
    if (checked.reply === 'locked') return 'locked';
    error = `This code is wrong. You have ${checked.body.attempts_left} more tries.`;
  }
  return 'confirmed';
}

function* outcomeNow(reference: string) {
  const { payments } = yield* call(findPayment, reference);
  const [found] = payments;
  if (found === undefined) return unknown('The bank does not know the payment.');
  const { id, status, amount, currency } = found;
  return statuses.read({ word: status, providerReference: id, amount: fromDecimal(amount, currency) });
}

export const bankConnector = defineConnector({
  id: 'bank-beneficiary',
  contract: 1,
  version: '1.0.0',
  title: 'Transfers from a bank account',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  serves: (serve) => [
    serve(bankBeneficiary, {
      *purchase({ payment }) {
        const { login, challenge } = yield* call(logIn, (yield* collect({ step: 'user', fields: user })).user);
        if ((yield* confirm(challenge)) === 'locked') return declinedAsLocked();

        const { accounts } = yield* call(listAccounts, login);
        const options = accounts.map(({ id, name }) => ({ value: id, label: name }));
        const from = yield* collect({ step: 'account', fields: account, options: { account: options } });

        const { merchantReference: reference, amount } = payment;
        const to = payment.parameters.beneficiary;
        const ordered = yield* call(pay, { login, account: from.account, to, reference, amount });
        if ((yield* confirm(ordered.challenge)) === 'locked') return declinedAsLocked(ordered.id);
        return yield* outcomeNow(reference);
      },

      *status({ payment }) {
        return yield* outcomeNow(payment.merchantReference);
      },
    }),
  ],
});
