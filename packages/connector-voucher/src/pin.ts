// Models a style, no provider: a voucher's PIN is redeemed at once, and the reply is the result.
import {
  amountFields,
  amountOf,
  decimal,
  defineConnector,
  field,
  foundBy,
  ofThisPayment,
  type Outcome,
  providerApi,
  type References,
  reply,
  secret,
  statusTable,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { barePin, pinVoucher } from './methods/pin-voucher.ts';
import { sampleAbsent, sampleRedemption, sampleRefusal } from './pin.samples.ts';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
});

const statuses = statusTable({
  REDEEMED: 'settled',
  PROCESSING: 'pending',
  FAILED: { declined: 'soft', code: 'not_completed' },
});

// Replies.

const redemption = withAmount(
  z.object({ id: z.string().min(1), reference: z.string(), status: z.string(), ...amountFields }),
);
const problem = z.object({ code: z.string(), message: z.string() });

// Endpoints.

const api = providerApi(settings, {
  source: 'packages/connector-voucher/README.md, Vouchers with a PIN',
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  visible: ['id', 'reference', 'status', 'amount', 'currency', 'code'],
  reasons: new Map([
    ['PIN_UNKNOWN', { kind: 'soft', code: 'wrong_pin' }],
    ['PIN_USED', { kind: 'soft', code: 'declined_by_provider', reason: 'The voucher was redeemed before.' }],
    ['VOUCHER_EXPIRED', { kind: 'soft', code: 'declined_by_provider', reason: 'The voucher has expired.' }],
    [
      'VALUE_TOO_LOW',
      { kind: 'soft', code: 'insufficient_funds', reason: 'The voucher is worth less than the amount.' },
    ],
    ['OTHER_CURRENCY', { kind: 'soft', code: 'not_supported', reason: 'The voucher has another currency.' }],
  ]),
  takenBefore: new Set(['REFERENCE_USED']),
});

const findRedemption = api.lookup('find-redemption', '/redemptions/{reference}', {
  found: reply(200, redemption, sampleRedemption, { ...sampleRedemption, status: 'FAILED' }),
  absent: reply(404, problem, sampleAbsent),
});

interface RedemptionRequest {
  /** Ours, taken once. */
  readonly reference: string;
  readonly pin: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
}

const redeem = api.endpoint('redeem', 'POST /redemptions', {
  repeat: 'by-reference',
  request: (input: RedemptionRequest) => ({ json: { ...input } }),
  find: foundBy(findRedemption, ({ reference }: RedemptionRequest) => reference),
  replies: {
    created: reply([200, 201], redemption, sampleRedemption, { ...sampleRedemption, status: 'PROCESSING' }),
    refused: reply([400, 402, 409, 422], problem, sampleRefusal),
  },
});

// Meaning of replies.

function outcomeOf(
  { id: providerReference, reference, status: word, ...amount }: z.output<typeof redemption>,
  asked: References,
): Outcome {
  return ofThisPayment(statuses.read({ word, providerReference, amount: amountOf(amount) }), asked, reference);
}

// The connector.

/** Vouchers that are redeemed by a PIN: the payer sees the result at once. */
export const pinVoucherConnector = defineConnector({
  id: 'voucher-pin',
  contract: 1,
  version: manifest.version,
  title: 'Vouchers with a PIN',
  settings,
  endpoints: api.endpoints,
  statuses,
  serves: (serve) => [
    serve(pinVoucher, {
      purchase: ({ payment: { merchantReference: reference, amount, parameters } }) =>
        api.outcome(
          redeem,
          { reference, pin: barePin(parameters.pin), amount: decimal(amount), currency: amount.currency },
          ({ body }) => outcomeOf(body, { merchantReference: reference }),
        ),
      status: ({ payment }) =>
        api.outcome(findRedemption, payment.merchantReference, ({ body }) => outcomeOf(body, payment)),
    }),
  ],
});
