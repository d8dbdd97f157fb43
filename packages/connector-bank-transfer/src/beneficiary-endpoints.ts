import {
  amountFields,
  decimal,
  field,
  type Money,
  providerApi,
  reply,
  secret,
  statusTable,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import * as samples from './beneficiary.samples.ts';
import type { beneficiary } from './methods/beneficiary.ts';

export const SOURCE = 'packages/connector-bank-transfer/README.md, Provider of transfers in steps';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  signing_secret: secret(z.string().min(16), 'Secret that signs notifications'),
});
export type Settings = z.output<typeof settings>;

export const statuses = statusTable({
  open: 'pending',
  ordered: 'pending',
  done: 'settled',
  refused: { declined: 'soft', code: 'declined_by_bank' },
  left: { declined: 'soft', code: 'cancelled_by_payer' },
});

// Replies.

export const reported = () => ({
  transfer: z.string().min(1),
  ours: z.string().optional(),
  state: z.string(),
  ...amountFields,
});
/** The next step. The bank may ask for a code before the first of the others, between them and after the last. */
const next = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('beneficiary') }),
  z.object({
    kind: z.literal('account'),
    accounts: z.array(z.object({ id: z.string().min(1).max(255), name: z.string().min(1) })).min(1),
  }),
  z.object({ kind: z.literal('code'), challenge: z.string().min(1) }),
]);
const transfer = withAmount(z.object({ ...reported(), next: next.optional() }));
const problem = z.object({ code: z.string(), message: z.string().optional() });
export type Transfer = z.output<typeof transfer>;
export type Next = z.output<typeof next>;

// Endpoints.

export const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  // `code` is in none of them: in a request it is the payer's own.
  visible: ['transfer', 'ours', 'state', 'amount', 'currency', 'next.kind', 'challenge'],
  reasons: new Map([['locked', { kind: 'soft', code: 'authentication_failed' }]]),
});

const known = {
  found: reply(200, transfer, { ...samples.sampleOrdered, state: 'done' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
export const getTransfer = api.lookup('get-transfer', '/transfers/{transfer}', known);
export const findTransfer = api.lookup('find-transfer', '/transfers/ours/{ours}', known);

interface TransferRequest {
  readonly ours: string;
  readonly amount: Money;
  readonly description: string;
  readonly report_to: string;
}
const refused = reply([400, 422], problem, samples.sampleRefusal);
export const openTransfer = api.endpoint('open-transfer', 'POST /transfers', {
  repeat: 'keyed',
  request: ({ amount, ...input }: TransferRequest) => ({
    json: { ...input, amount: decimal(amount), currency: amount.currency },
  }),
  replies: { taken: reply(201, transfer, samples.sampleTransfer, samples.sampleCode), refused },
});

/** An answer of the payer's. The provider keeps what it answered to a key, so that a wrong one is about this very answer. */
const answered = (...taken: readonly unknown[]) => ({
  taken: reply(200, transfer, ...taken),
  wrong: { ...reply(422, problem, samples.sampleWrong), where: { code: 'not_right' }, refuses: false },
  refused,
});
interface Named {
  readonly transfer: string;
}

export const giveBeneficiary = api.endpoint('give-beneficiary', 'POST /transfers/{transfer}/beneficiary', {
  repeat: 'keyed',
  request: ({ transfer: id, ...json }: Named & z.output<typeof beneficiary>) => ({ params: { transfer: id }, json }),
  replies: answered(samples.sampleChoice, samples.sampleCode),
});
export const chooseAccount = api.endpoint('choose-account', 'POST /transfers/{transfer}/account', {
  repeat: 'keyed',
  request: ({ transfer: id, account }: Named & { readonly account: string }) => ({
    params: { transfer: id },
    json: { account },
  }),
  replies: answered(samples.sampleCode, samples.sampleOrdered),
});
interface Challenge extends Named {
  readonly challenge: string;
}
export const confirmCode = api.endpoint('confirm-code', 'POST /transfers/{transfer}/code', {
  repeat: 'keyed',
  request: ({ transfer: id, ...json }: Challenge & { readonly code: string }) => ({ params: { transfer: id }, json }),
  replies: answered(samples.sampleOrdered, samples.sampleChoice),
});
export const resendCode = api.endpoint('resend-code', 'POST /transfers/{transfer}/code/resend', {
  repeat: 'keyed',
  request: ({ transfer: id, challenge }: Challenge) => ({ params: { transfer: id }, json: { challenge } }),
  replies: { sent: reply(202, z.object({}), {}), refused: reply([409, 422, 429], problem, { code: 'too_soon' }) },
});
