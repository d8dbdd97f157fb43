import {
  call,
  collect,
  decimal,
  declined,
  defineConnector,
  endpointsFor,
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
const endpoint = endpointsFor(settings);
const source = 'the provider of this example';
const payment = z.object({ id: z.string(), status: z.string(), challenge: z.string().optional() });

const logIn = endpoint({
  name: 'log-in',
  method: 'POST',
  path: '/logins',
  repeat: 'keyed',
  request: (user: string, { settings, key }) => ({
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
    json: { user },
  }),
  reply: z.object({ login: z.string(), challenge: z.string().optional() }),
  examples: [{ body: { login: 'l-1', challenge: 'ch-1' }, source }],
});

const listAccounts = endpoint({
  name: 'list-accounts',
  path: '/logins/{login}/accounts',
  repeat: 'safe',
  request: (login: string, { settings }) => ({ params: { login }, headers: { 'x-api-key': settings.api_key } }),
  reply: z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })).min(1) }),
  examples: [{ body: { accounts: [{ id: 'acc-1', name: 'Current account' }] }, source }],
});

const findPayment = endpoint({
  name: 'find-payment',
  path: '/payments',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ headers: { 'x-api-key': settings.api_key }, query: { reference } }),
  reply: z.object({ payments: z.array(payment.extend({ amount: z.string(), currency: z.string() })) }),
  examples: [{ body: { payments: [{ id: 'b-1', status: 'DONE', amount: '25.00', currency: 'USD' }] }, source }],
});

const pay = endpoint({
  name: 'pay',
  method: 'POST',
  path: '/payments',
  repeat: 'by-reference',
  request: (input: { login: string; account: string; to: string; reference: string; amount: Money }, { settings }) => ({
    headers: { 'x-api-key': settings.api_key },
    json: { ...input, amount: decimal(input.amount), currency: input.amount.currency },
  }),
  find: {
    endpoint: findPayment,
    input: ({ reference }) => reference,
    read: ({ payments: [found] }) => (found === undefined ? 'absent' : { found }),
  },
  reply: payment,
  examples: [{ body: { id: 'b-1', status: 'WAITING', challenge: 'ch-2' }, source }],
});

const submitCode = endpoint({
  name: 'submit-code',
  method: 'POST',
  path: '/challenges/{challenge}/answers',
  repeat: 'keyed',
  request: ({ challenge, code }: { challenge: string; code: string }, { settings, key }) => ({
    params: { challenge },
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
    json: { code },
  }),
  replies: {
    accepted: { status: 200, body: z.object({}) },
    wrong: { status: 422, where: { error: 'wrong' }, body: z.object({ attempts_left: z.number() }) },
    locked: { status: 422, where: { error: 'locked' }, body: z.object({}) },
  },
  examples: [{ is: 'accepted', body: {}, source }],
});

const resendCode = endpoint({
  name: 'resend-code',
  method: 'POST',
  path: '/challenges/{challenge}/resend',
  repeat: 'keyed',
  request: (challenge: string, { settings, key }) => ({
    params: { challenge },
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
  }),
  reply: z.object({}),
  examples: [{ body: {}, source }],
});

const statuses = statusTable({
  DONE: 'settled',
  WAITING: 'pending',
  REFUSED: { declined: 'soft', reason: 'The bank refused the transfer.' },
});

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

const locked = (reference?: string) =>
  declined(
    'soft',
    'The bank locked the access after too many wrong codes.',
    reference === undefined ? {} : { reference },
  );

export const bankConnector = defineConnector({
  id: 'bank-beneficiary',
  contract: 1,
  version: '1.0.0',
  title: 'Transfers from a bank account',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: [logIn, listAccounts, findPayment, pay, submitCode, resendCode],
  statuses,
  serves: (serve) => [
    serve(bankBeneficiary, {
      *purchase({ payment }) {
        const { login, challenge } = yield* call(logIn, (yield* collect({ step: 'user', fields: user })).user);
        if ((yield* confirm(challenge)) === 'locked') return locked();

        const { accounts } = yield* call(listAccounts, login);
        const options = accounts.map(({ id, name }) => ({ value: id, label: name }));
        const from = yield* collect({ step: 'account', fields: account, options: { account: options } });

        const { reference, amount } = payment;
        const to = payment.parameters.beneficiary;
        const ordered = yield* call(pay, { login, account: from.account, to, reference, amount });
        if ((yield* confirm(ordered.challenge)) === 'locked') return locked(ordered.id);
        return yield* lookUp(reference);
      },

      *status({ payment }) {
        return yield* lookUp(payment.reference);
      },
    }),
  ],
});

function* lookUp(reference: string) {
  const { payments } = yield* call(findPayment, reference);
  const [found] = payments;
  if (found === undefined) return unknown('The bank does not know the payment.');
  const { id, status, amount, currency } = found;
  return statuses.read({ word: status, reference: id, amount: fromDecimal(amount, currency) });
}
