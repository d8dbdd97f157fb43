import { providerApi, amountFields, withAmount } from '@railyard/core';
import * as z from 'zod';
import { settings } from './settings.ts';

const source = 'packages/connector-pix/README.md, Instant provider';
const { endpoint } = providerApi(settings, { source });

const charge = withAmount(
  z.object({
    qr_code_id: z.string().min(1),
    external_id: z.string().optional(),
    status: z.string(),
    ...amountFields,
    pix_copy_and_paste: z.string().optional(),
    expires_at: z.iso.datetime().optional(),
  }),
);
const payout = withAmount(
  z.object({
    payout_id: z.string().min(1),
    external_id: z.string().optional(),
    status: z.string(),
    ...amountFields,
  }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });

const created = { status: [200, 201] } as const;
const refused = { status: [400, 402, 422], body: problem } as const;
const absent = { status: 404, body: problem } as const;

const sampleCode =
  '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62070503***6304D34F';

const sampleCharge = {
  qr_code_id: 'qr_9d36b84f',
  status: 'PENDING',
  amount: '10.00',
  currency: 'BRL',
  base_64_image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  pix_copy_and_paste: sampleCode,
  expires_at: '2026-11-21T13:00:00Z',
};
const samplePayout = {
  payout_id: 'po_51c07c2a',
  status: 'PROCESSING',
  amount: '10.00',
  currency: 'BRL',
};
const unknownOne = { code: 'not_found', message: 'No such payment.' };

const visibleCharge = ['external_id', 'amount', 'currency', 'qr_code_id', 'status', 'expires_at', 'code'];
const visiblePayout = ['external_id', 'amount', 'currency', 'payout_id', 'status', 'code'];

export const getCharge = endpoint({
  name: 'get-charge',
  path: '/v1/charges/{qr_code_id}',
  repeat: 'safe',
  request: (qr_code_id: string, { settings }) => ({
    params: { qr_code_id },
    headers: { 'x-api-key': settings.api_key },
  }),
  replies: { found: { status: 200, body: charge }, absent },
  examples: [
    { is: 'found', status: 200, body: { ...sampleCharge, status: 'PAID' }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible: visibleCharge,
});

export const findCharge = endpoint({
  name: 'find-charge',
  path: '/v1/charges/external/{external_id}',
  repeat: 'safe',
  request: (external_id: string, { settings }) => ({
    params: { external_id },
    headers: { 'x-api-key': settings.api_key },
  }),
  replies: { found: { status: 200, body: charge }, absent },
  examples: [
    { is: 'found', status: 200, body: sampleCharge, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible: visibleCharge,
});

export interface ChargeInput {
  readonly external_id: string;
  readonly amount: string;
  readonly description: string;
  readonly callback_url: string;
  readonly fine: string;
  readonly type_fine: string;
  readonly branch_identifier?: string | undefined;
  readonly source_account_number?: string | undefined;
  readonly type_document?: string | undefined;
  readonly debtor_document?: string | undefined;
  readonly debtor_name?: string | undefined;
}

/** The provider takes an `external_id` once, so a request without a reply is looked up by it. */
export const createCharge = endpoint({
  name: 'create-charge',
  method: 'POST',
  path: '/v1/charges',
  repeat: 'by-reference',
  request: (input: ChargeInput, { settings }) => ({
    headers: { 'x-api-key': settings.api_key },
    json: { ...input, currency: 'BRL' },
  }),
  find: {
    endpoint: findCharge,
    input: ({ external_id }) => external_id,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'created', body: answer.body } } : 'absent'),
  },
  replies: { created: { ...created, body: charge }, refused },
  examples: [
    { is: 'created', status: 201, body: sampleCharge, source },
    { is: 'refused', status: 422, body: { code: 'invalid_debtor', message: 'The debtor is not accepted.' }, source },
  ],
  visible: visibleCharge,
});

export interface RenewInput {
  readonly qr_code_id: string;
}

export const renewCharge = endpoint({
  name: 'renew-charge',
  method: 'POST',
  path: '/v1/charges/{qr_code_id}/renew',
  repeat: 'keyed',
  request: ({ qr_code_id }: RenewInput, { settings, key }) => ({
    params: { qr_code_id },
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
  }),
  replies: { created: { ...created, body: charge }, refused, absent },
  examples: [
    { is: 'created', status: 201, body: { ...sampleCharge, qr_code_id: 'qr_c1f4e7b2' }, source },
    { is: 'refused', status: 422, body: { code: 'already_paid', message: 'The charge is paid.' }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible: visibleCharge,
});

export interface PayoutInput {
  readonly external_id: string;
  readonly amount: string;
  readonly description: string;
  readonly key: string;
  readonly key_type: string;
  readonly source_account_number: string;
  readonly branch_identifier: string;
}

export const createPayout = endpoint({
  name: 'create-payout',
  method: 'POST',
  path: '/v1/payouts',
  repeat: 'keyed',
  request: (input: PayoutInput, { settings, key }) => ({
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
    json: { ...input, currency: 'BRL' },
  }),
  replies: { created: { ...created, body: payout }, refused },
  examples: [
    { is: 'created', status: 201, body: samplePayout, source },
    { is: 'refused', status: 422, body: { code: 'unknown_key', message: 'No account has this key.' }, source },
  ],
  visible: visiblePayout,
});

export const findPayout = endpoint({
  name: 'find-payout',
  path: '/v1/payouts/external/{external_id}',
  repeat: 'safe',
  request: (external_id: string, { settings }) => ({
    params: { external_id },
    headers: { 'x-api-key': settings.api_key },
  }),
  replies: { found: { status: 200, body: payout }, absent },
  examples: [
    { is: 'found', status: 200, body: { ...samplePayout, status: 'PAID' }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible: visiblePayout,
});

export type Charge = z.output<typeof charge>;
export type Payout = z.output<typeof payout>;
export const endpoints = [createCharge, getCharge, findCharge, renewCharge, createPayout, findPayout];
