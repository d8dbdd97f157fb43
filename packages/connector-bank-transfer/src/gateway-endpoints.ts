/** Calls of the gateway to banks, and the meaning of its replies. Its whole API is invented (README). */
import {
  amountFields,
  amountOf,
  confirmOnDevice,
  type ContextOf,
  decimal,
  field,
  ofThisPayment,
  type Outcome,
  providerApi,
  qr,
  redirect,
  type References,
  reply,
  secret,
  type Show,
  statusTable,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import { accountShown } from './account-shown.ts';
import * as samples from './gateway.samples.ts';
import type { bankBeneficiary, beneficiary } from './methods/beneficiary.ts';
import type { bankRedirect } from './methods/by-country.ts';
import type { bankDeposit } from './methods/deposit.ts';
import type * as methods from './methods/gateway.ts';

export const SOURCE = 'packages/connector-bank-transfer/README.md, Gateway to banks';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the gateway’s API' }),
  token: secret(z.string().min(1), 'Token of the shop'),
  signing_secret: secret(z.string().min(16), 'Secret that signs notifications'),
});
export type Settings = z.output<typeof settings>;

export const statuses = statusTable({
  opened: 'pending',
  at_bank: 'pending',
  done: 'settled',
  refused: { declined: 'soft', code: 'declined_by_bank' },
  too_late: { declined: 'soft', code: 'timed_out' },
  lapsed: { declined: 'soft', code: 'expired', reason: 'The deposit did not arrive in time.' },
  stopped: { declined: 'soft', code: 'cancelled_by_payer' },
});

// Replies.

export const reported = () => ({
  transfer_id: z.string().min(1),
  our_id: z.string().optional(),
  state: z.string(),
  ...amountFields,
});
/** Each way to pay has one of these. */
const onPage = withAmount(z.object({ ...reported(), bank_page: z.url({ protocol: /^https?$/ }).optional() }));
const byCode = withAmount(z.object({ ...reported(), qr_text: z.string().min(1).optional() }));
const byPrompt = withAmount(z.object({ ...reported(), prompt: z.string().min(1).optional() }));
const toAccount = withAmount(
  z.object({
    ...reported(),
    pay_to: z
      .object({
        bank: z.string(),
        branch: z.string().optional(),
        holder: z.string(),
        number: z.string(),
        reference: z.string().optional(),
      })
      .optional(),
    pay_before: z.iso.datetime({ offset: true }).optional(),
  }),
);
/** To an account where the country has no page to go to. */
const byCountry = withAmount(z.object({ ...onPage.shape, ...toAccount.shape }));
/** The next step of a transfer in steps. The bank may ask for a code before the first of the others, between them and after the last. */
const next = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('beneficiary') }),
  z.object({
    kind: z.literal('account'),
    accounts: z.array(z.object({ id: z.string().min(1).max(255), name: z.string().min(1) })).min(1),
  }),
  z.object({ kind: z.literal('code'), challenge: z.string().min(1) }),
]);
const inSteps = withAmount(z.object({ ...reported(), next: next.optional() }));
const transfer = withAmount(
  z.object({
    ...byCountry.shape,
    ...byCode.shape,
    ...byPrompt.shape,
  }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });
export type Transfer = z.output<typeof transfer>;
export type TransferInSteps = z.output<typeof inSteps>;

// Endpoints.

export const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ token }) => ({ authorization: `Token ${token}` }),
  keyHeader: 'x-request-key',
  visible: [
    'transfer_id',
    'our_id',
    'state',
    'amount',
    'currency',
    'way',
    'country',
    'bank',
    'code',
    'next.kind',
    'challenge',
  ],
  reasons: new Map([
    ['document_refused', { kind: 'soft', code: 'document_not_accepted' }],
    ['locked', { kind: 'soft', code: 'authentication_failed' }],
  ]),
});

const known = {
  found: reply(200, transfer, { ...samples.sampleTransfer, state: 'done' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
export const getTransfer = api.lookup('get-transfer', '/transfers/{transfer_id}', known);
export const findTransfer = api.lookup('find-transfer', '/transfers/ours/{our_id}', known);

export type Purchase = ContextOf<
  Settings,
  | typeof methods.bankAr
  | typeof methods.bankMx
  | typeof methods.bankAccount
  | typeof bankDeposit
  | typeof methods.bankCodeTr
  | typeof methods.ibanTr
  | typeof methods.qrTh
  | typeof methods.walletTr
  | typeof methods.walletTh,
  'purchase'
>;

export type PurchaseByCountry = ContextOf<Settings, typeof bankRedirect, 'purchase'>;
export type PurchaseInSteps = ContextOf<Settings, typeof bankBeneficiary, 'purchase'>;

interface Opening extends Pick<Purchase, 'urls'> {
  readonly way: string;
  readonly country?: string;
  readonly payment: Pick<Purchase['payment'], 'merchantReference' | 'amount' | 'order'>;
  /** Absent where the payer is asked step by step. */
  readonly payer?: Purchase['payment']['parameters'] | PurchaseByCountry['payment']['parameters'];
}

const refused = reply([400, 422], problem, samples.sampleRefusal, samples.sampleLocked);
const opening = {
  path: '/transfers',
  repeat: 'keyed',
  request: ({ way, country, payment, payer, urls }: Opening) => ({
    json: {
      way,
      country,
      our_id: payment.merchantReference,
      amount: decimal(payment.amount),
      currency: payment.order.currency,
      description: payment.order.description,
      payer,
      back_to: urls.return,
      report_to: urls.notify,
    },
  }),
} as const;
export const openTransfer = api.endpoint({
  ...opening,
  name: 'open-transfer',
  replies: { opened: reply(201, onPage, samples.sampleTransfer), refused },
});
export const openCode = api.endpoint({
  ...opening,
  name: 'open-code',
  replies: { opened: reply(201, byCode, samples.sampleCode), refused },
});
export const openPrompt = api.endpoint({
  ...opening,
  name: 'open-prompt',
  replies: { opened: reply(201, byPrompt, samples.samplePrompt), refused },
});
export const openAccount = api.endpoint({
  ...opening,
  name: 'open-account',
  replies: { opened: reply(201, toAccount, samples.sampleDeposit), refused },
});
export const openByCountry = api.endpoint({
  ...opening,
  name: 'open-by-country',
  replies: { opened: reply(201, byCountry, samples.sampleTransfer, samples.sampleDetails), refused },
});

export const openInSteps = api.endpoint({
  ...opening,
  name: 'open-in-steps',
  replies: { opened: reply(201, inSteps, samples.sampleInSteps, samples.sampleNextCode), refused },
});

export const listBanks = api.endpoint('list-banks', 'GET /banks/{country}', {
  repeat: 'safe',
  request: (country: string) => ({ params: { country } }),
  reply: z.object({ banks: z.array(z.object({ code: z.string().min(1).max(255), name: z.string().min(1) })) }),
  examples: [{ body: samples.sampleBanks }],
});

/** An answer of the payer's. The gateway keeps what it answered to a key, so that a wrong one is about this very answer. */
const answered = (...taken: readonly unknown[]) => ({
  taken: reply(200, inSteps, ...taken),
  wrong: { ...reply(422, problem, samples.sampleWrong), where: { code: 'not_right' }, refuses: false as const },
  refused,
});
interface Named {
  readonly transfer_id: string;
}

export const giveBeneficiary = api.endpoint('give-beneficiary', 'POST /transfers/{transfer_id}/beneficiary', {
  repeat: 'keyed',
  request: ({ transfer_id, ...json }: Named & z.output<typeof beneficiary>) => ({ params: { transfer_id }, json }),
  replies: answered(samples.sampleChoice, samples.sampleNextCode),
});
export const chooseAccount = api.endpoint('choose-account', 'POST /transfers/{transfer_id}/account', {
  repeat: 'keyed',
  request: ({ transfer_id, account }: Named & { readonly account: string }) => ({
    params: { transfer_id },
    json: { account },
  }),
  replies: answered(samples.sampleNextCode, samples.sampleOrdered),
});
interface Challenge extends Named {
  readonly challenge: string;
}
/** The payer's code is `otp`: `code`, of a problem, is shown in logs. */
export const confirmCode = api.endpoint('confirm-code', 'POST /transfers/{transfer_id}/code', {
  repeat: 'keyed',
  request: ({ transfer_id, ...json }: Challenge & { readonly otp: string }) => ({ params: { transfer_id }, json }),
  replies: answered(samples.sampleOrdered, samples.sampleChoice),
});
export const resendCode = api.endpoint('resend-code', 'POST /transfers/{transfer_id}/code/resend', {
  repeat: 'keyed',
  request: ({ transfer_id, challenge }: Challenge) => ({ params: { transfer_id }, json: { challenge } }),
  replies: {
    sent: reply(202, z.object({}), {}),
    refused: {
      ...reply([409, 422, 429], problem, { code: 'too_soon' }),
      refuses: { says: '429 too_soon: a code was sent less than a minute ago' },
    },
  },
});

// Meaning of replies.

export const factsOf = (body: Pick<Transfer, 'state' | 'transfer_id' | 'amount' | 'currency'>) => ({
  word: body.state,
  providerReference: body.transfer_id,
  amount: amountOf(body),
});

function showOf({ bank_page: url, qr_text: content, prompt: message, pay_to: account }: Transfer): Show | undefined {
  if (account !== undefined) return accountShown(account);
  if (url !== undefined) return redirect({ url });
  if (content !== undefined) return qr({ content });
  return message === undefined ? undefined : confirmOnDevice({ channel: 'app', message });
}

/** The way to pay is shown once: by the reply that opened the transfer, or by the first lookup where that was lost. */
export function outcomeOf(body: Transfer, asked: References): Outcome {
  const show = asked.providerReference === undefined ? showOf(body) : undefined;
  const payableUntil = body.pay_before && new Date(body.pay_before).toISOString();
  return ofThisPayment(statuses.read({ ...factsOf(body), show, payableUntil }), asked, body.our_id);
}
