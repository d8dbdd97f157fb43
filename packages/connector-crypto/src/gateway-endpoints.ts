import { amountFields, field, foundBy, providerApi, secret, statusTable, withAmount } from '@railyard/core';
import * as z from 'zod';
import { coinAmount } from './coin-amount.ts';
import { sampleAbsent, sampleAddresses, sampleCompleted, sampleTransaction } from './gateway.samples.ts';

export const SOURCE = 'packages/connector-crypto/README.md, Gateway provider';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  merchant_id: field(z.string().min(1), { label: 'Merchant id' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});

/** Words of deposits, conversions and withdrawals. */
export const statuses = statusTable({
  NEW: 'pending',
  WAITING_FOR_PAYER: 'pending',
  CONFIRMING: { meaning: 'pending', says: 'the transfer was seen and has too few confirmations' },
  COMPLETED: 'settled',
  EXPIRED: {
    meaning: { declined: 'soft', code: 'expired', reason: 'Nothing was paid in time.' },
    says: 'the time to pay is over, and nothing was paid',
  },
  CANCELLED: {
    meaning: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The payer cancelled.' },
    says: 'the payer cancelled on the page',
  },
  REJECTED: { declined: 'hard', code: 'declined_by_provider' },
});

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['DUPLICATE_REFERENCE']);

// Replies.

const transaction = withAmount(
  z.object({
    id: z.string().min(1),
    reference: z.string(),
    status: z.string(),
    ...amountFields,
    pay_url: z.url({ protocol: /^https?$/ }).optional(),
    /** Where the payer sends a coin to, where there is no page of the provider's. */
    pay_to: z
      .object({
        address: z.string().max(200),
        asset: z.string(),
        network: z.string(),
        /** In the asset, exactly. */
        amount: coinAmount().optional(),
      })
      .optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
    reason: z.string().max(255).optional(),
  }),
);
export type Transaction = z.output<typeof transaction>;

export const body = z.object({ transaction });
const problem = z.object({ code: z.string(), message: z.string().optional() });
export const replies = {
  created: { status: 201, body },
  refused: { status: [400, 402, 403, 422], body: problem },
} as const;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ merchant_id, api_key }) => ({ 'x-merchant-id': merchant_id, 'x-secret-key': api_key }),
  visible: [
    'reference',
    'amount',
    'currency',
    'transaction.id',
    'transaction.reference',
    'transaction.status',
    'transaction.amount',
    'transaction.currency',
    'code',
  ],
});
export const { endpoints } = api;

export const getTransaction = api.lookup('get-transaction', '/api/transactions/{reference}', {
  found: body,
  absent: problem,
  samples: { found: { transaction: sampleCompleted }, absent: sampleAbsent },
});

/** A reference is taken once, so a request without a reply is looked up by it. */
const find = foundBy(getTransaction, ({ reference }: { readonly reference: string }) => reference);

export interface PaymentRequest {
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

export const createPayment = api.endpoint('create-payment', 'POST /api/payments', {
  repeat: 'by-reference',
  request: (input: PaymentRequest) => ({ json: { ...input } }),
  find,
  replies,
  examples: [
    {
      is: 'created',
      status: 201,
      body: { transaction: { ...sampleTransaction, pay_url: 'https://pay.example/txn_51c07c2a' } },
    },
    ...sampleAddresses.map((pay_to) => ({
      is: 'created' as const,
      status: 201,
      body: { transaction: { ...sampleTransaction, pay_to } },
    })),
    { is: 'refused', status: 422, body: { code: 'COIN_OFF', message: 'Not today.' } },
  ],
});

type WithdrawalField =
  | 'reference'
  | 'amount'
  | 'currency'
  | 'description'
  | 'coin'
  | 'address'
  | 'beneficiary'
  | 'notify_url';
/** `network`: of the coin's networks the one that the address is of, as far as it is known. */
type WithdrawalRequest = Readonly<
  Record<WithdrawalField, string> & Record<'network' | 'account_login', string | undefined>
>;

export const createWithdrawal = api.endpoint('create-withdrawal', 'POST /api/withdrawals', {
  repeat: 'by-reference',
  request: (input: WithdrawalRequest) => ({ json: { ...input } }),
  find,
  replies,
  examples: [
    { is: 'created', status: 201, body: { transaction: sampleTransaction } },
    { is: 'refused', status: 402, body: { code: 'BALANCE_TOO_LOW', message: 'Top up first.' } },
  ],
});
