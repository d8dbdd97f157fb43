import { providerApi, type JsonNumberLiteral, amountFields, withAmount } from '@railyard/core';
import * as z from 'zod';
import { settings } from './settings.ts';

const source = 'packages/connector-pix/README.md, Collection provider';
const { endpoint } = providerApi(settings, { source });

const collection = withAmount(
  z.object({
    id: z.string().min(1),
    reference: z.string().optional(),
    status: z.string(),
    ...amountFields,
    qrCode: z.string().optional(),
    expiryDate: z.iso.datetime({ offset: true }).optional(),
  }),
);
const problem = z.object({ error: z.string() });

const sample = {
  id: 'col-51c07c2a',
  status: 'CREATED',
  amount: 10.5,
  currency: 'BRL',
  qrCode:
    '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62070503***6304D34F',
  expiryDate: '2026-11-22T12:00:00Z',
};
const visible = ['id', 'reference', 'status', 'amount', 'currency', 'market', 'type', 'expiryDate', 'error'];
const absent = { status: 404, body: problem } as const;
const lookupExamples = [
  { is: 'found', status: 200, body: { ...sample, status: 'PAID' }, source },
  { is: 'absent', status: 404, body: { error: 'No such collection.' }, source },
];

/** The fields of the collection provider under their own names (protocol: Collection provider methods). */
export interface CollectionInput {
  /** A JSON number with the exact digits of the order's amount. */
  readonly amount: JsonNumberLiteral;
  readonly expiryDate: string;
  readonly callbackUrl: string;
  readonly reference: string;
  readonly merchantType: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly market: string;
  readonly type: string;
  readonly currency: string;
}

export const createCollection = endpoint({
  name: 'create-collection',
  method: 'POST',
  path: '/collections',
  repeat: 'keyed',
  request: (input: CollectionInput, { settings, key }) => ({
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
    json: { ...input },
  }),
  replies: { created: { status: [200, 201], body: collection }, refused: { status: [400, 402, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: sample, source },
    { is: 'refused', status: 422, body: { error: 'The account is closed.' }, source },
  ],
  visible,
});

export const getCollection = endpoint({
  name: 'get-collection',
  path: '/collections/{id}',
  repeat: 'safe',
  request: (id: string, { settings }) => ({ params: { id }, headers: { 'x-api-key': settings.api_key } }),
  replies: { found: { status: 200, body: collection }, absent },
  examples: lookupExamples,
  visible,
});

export const findCollection = endpoint({
  name: 'find-collection',
  path: '/collections/reference/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: { 'x-api-key': settings.api_key } }),
  replies: { found: { status: 200, body: collection }, absent },
  examples: lookupExamples,
  visible,
});

export type Collection = z.output<typeof collection>;
export const endpoints = [createCollection, getCollection, findCollection];
