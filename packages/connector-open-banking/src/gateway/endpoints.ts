import { providerApi } from '@railyard/core';
import { problem, transaction } from './replies.ts';
import { type Settings, settings } from './settings.ts';

/** Where the gateway's exchanges are written down. */
export const source = 'packages/connector-open-banking/README.md, Redirect gateway';
const { endpoint } = providerApi(settings, { source });

export const sampleTransaction = {
  transaction_id: 'tr_81b2f0',
  status: 'NEW',
  amount: '10.00',
  currency: 'EUR',
  redirect_url: 'https://gateway.example/pay/tr_81b2f0',
};
export const unknownOne = { error_code: 'UNKNOWN_TRANSACTION' };

const visible = [
  'transaction_id',
  'merchant_reference',
  'status',
  'amount',
  'currency',
  'payment_methods',
  'error_code',
];
const absent = { status: 404, body: problem } as const;
const keys = ({ merchant_id, api_key }: Settings) => ({ 'x-merchant-id': merchant_id, 'x-api-key': api_key });
const lookups = {
  replies: { found: { status: 200, body: transaction }, absent },
  examples: [
    { is: 'found', status: 200, body: { ...sampleTransaction, status: 'PAID' }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible,
} as const;

export const getTransaction = endpoint({
  name: 'get-transaction',
  path: '/transactions/{id}',
  repeat: 'safe',
  request: (id: string, { settings }) => ({ params: { id }, headers: keys(settings) }),
  ...lookups,
});

export const findTransaction = endpoint({
  name: 'find-transaction',
  path: '/transactions/by-reference/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: keys(settings) }),
  ...lookups,
});

export interface TransactionInput {
  readonly merchant_reference: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string | undefined;
  readonly return_url: string;
  readonly notify_url: string;
}

/** The provider takes a `merchant_reference` once, so a request without a reply is looked up by it. */
export const openTransaction = endpoint({
  name: 'open-transaction',
  method: 'POST',
  path: '/transactions',
  repeat: 'by-reference',
  request: (input: TransactionInput, { settings }) => ({
    headers: keys(settings),
    // Which of the gateway's ways to pay are offered (2-methods.md, bank-redirect method variant).
    form: { ...input, payment_methods: 'OBT' },
  }),
  find: {
    endpoint: findTransaction,
    input: ({ merchant_reference }) => merchant_reference,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'opened', body: answer.body } } : 'absent'),
  },
  replies: { opened: { status: [200, 201], body: transaction }, refused: { status: [400, 402, 422], body: problem } },
  examples: [
    { is: 'opened', status: 201, body: sampleTransaction, source },
    { is: 'refused', status: 422, body: { error_code: 'CURRENCY_NOT_ENABLED' }, source },
  ],
  visible,
});

export const endpoints = [openTransaction, getTransaction, findTransaction];
