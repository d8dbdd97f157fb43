import { providerApi } from '@railyard/core';
import type * as z from 'zod';
import { problemBody, transactionBody } from './replies.ts';
import { type Settings, settings } from './settings.ts';

/** Where the provider's exchanges are written down. */
export const source = 'packages/connector-crypto/README.md, Gateway provider';

const { endpoint } = providerApi(settings, { source });
const signedIn = ({ merchant_id, api_key }: Settings) => ({
  'x-merchant-id': merchant_id,
  'x-secret-key': api_key,
});

export const sampleTransaction = {
  id: 'txn_51c07c2a',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  status: 'NEW',
  amount: '25.00',
  currency: 'USD',
};

export const unknownOne = { code: 'NOT_FOUND', message: 'No such transaction.' };
const refused = { status: [400, 402, 403, 422], body: problemBody } as const;
const created = { status: 201, body: transactionBody } as const;
const absent = { status: 404, body: problemBody } as const;
const visible = [
  'reference',
  'amount',
  'currency',
  'transaction.id',
  'transaction.reference',
  'transaction.status',
  'transaction.amount',
  'transaction.currency',
  'code',
];

export const getTransaction = endpoint({
  name: 'get-transaction',
  path: '/api/transactions/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: signedIn(settings) }),
  replies: { found: { status: 200, body: transactionBody }, absent },
  examples: [
    { is: 'found', status: 200, body: { transaction: { ...sampleTransaction, status: 'COMPLETED' } }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible,
});

interface Found {
  readonly reply: 'found';
  readonly body: z.output<typeof transactionBody>;
}

/** A reference is taken once, so a request without a reply is looked up by it. */
const find = {
  endpoint: getTransaction,
  input: ({ reference }: { readonly reference: string }) => reference,
  read: (answer: Found | { readonly reply: 'absent' }) =>
    answer.reply === 'found' ? { found: { reply: 'created' as const, body: answer.body } } : ('absent' as const),
};

export interface PaymentInput {
  readonly reference: string;
  /** Without an amount the payer chooses on the provider's page. */
  readonly amount: string | undefined;
  readonly currency: string;
  readonly description: string;
  /** `deposit` to a trading account, or a conversion: the coin that is paid, or the one it becomes. */
  readonly kind: 'deposit' | 'pay-in-coin' | 'convert-to-coin';
  readonly coin: string;
  readonly gateway?: string;
  readonly account_login?: string | undefined;
  readonly notify_url: string;
  readonly return_url: string;
}

export const createPayment = endpoint({
  name: 'create-payment',
  method: 'POST',
  path: '/api/payments',
  repeat: 'by-reference',
  request: (input: PaymentInput, { settings }) => ({ headers: signedIn(settings), json: { ...input } }),
  find,
  replies: { created, refused },
  examples: [
    {
      is: 'created',
      status: 201,
      body: { transaction: { ...sampleTransaction, pay_url: 'https://pay.example/txn_51c07c2a' } },
      source,
    },
    { is: 'refused', status: 422, body: { code: 'COIN_OFF', message: 'Not today.' }, source },
  ],
  visible,
});

export interface WithdrawalInput {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly coin: string;
  readonly address: string;
  /** Of the coin's networks the one that the address is of, as far as it is known. */
  readonly network: string | undefined;
  readonly account_login: string | undefined;
  readonly beneficiary: string;
  readonly notify_url: string;
}

export const createWithdrawal = endpoint({
  name: 'create-withdrawal',
  method: 'POST',
  path: '/api/withdrawals',
  repeat: 'by-reference',
  request: (input: WithdrawalInput, { settings }) => ({ headers: signedIn(settings), json: { ...input } }),
  find,
  replies: { created, refused },
  examples: [
    { is: 'created', status: 201, body: { transaction: sampleTransaction }, source },
    { is: 'refused', status: 402, body: { code: 'BALANCE_TOO_LOW', message: 'Top up first.' }, source },
  ],
  visible,
});

export const endpoints = [createPayment, createWithdrawal, getTransaction];
