import * as z from 'zod';
import { defineConnector, defineMethod, providerApi, field, oneCall, secret, statusTable } from '../../src/index.ts';

export const settings = z.object({ base_url: z.url(), api_key: secret(z.string(), 'API key') });
export const source = 'this test';
export const { endpoint } = providerApi(settings, { source });

export const method = defineMethod({
  key: 'm',
  title: 'M',
  operations: {
    purchase: { parameters: z.strictObject({ store: z.enum(['north', 'south']) }), completion: ['voucher'] },
    credit: { parameters: z.strictObject({ account: z.string().optional() }), completion: [] },
    transfer: { parameters: z.strictObject({}), completion: [], openAmount: true, card: true },
    debit: {
      variants: {
        by: 'billing_address.country',
        cases: { BR: z.strictObject({ cpf: z.string() }), MX: z.strictObject({ curp: z.string() }) },
      },
      needs: {
        'billing_address.country': field(z.enum(['BR', 'MX']), { label: 'Country' }),
        'customer.birth_date': z.iso.date().transform((day) => day.length),
      },
      completion: [],
    },
  },
});

export const createCharge = endpoint({
  name: 'create-charge',
  method: 'POST',
  path: '/charges',
  repeat: 'keyed',
  request: (input: { amount: string }, { settings, key }) => ({
    headers: { 'x-api-key': settings.api_key, 'idempotency-key': key },
    json: input,
  }),
  replies: {
    created: { status: 201, body: z.object({ id: z.string(), status: z.string() }) },
    refused: { status: [402, 422], body: z.object({ code: z.int() }) },
  },
  examples: [{ is: 'created', status: 201, body: { id: 'c-1', status: 'OPEN' }, source }],
});

export const getCharge = endpoint({
  name: 'get-charge',
  path: '/charges/{id}',
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  reply: z.object({ id: z.string(), status: z.string() }),
});

export const statuses = statusTable({
  OPEN: 'pending',
  PAID: 'settled',
  HELD: 'authorized',
  GONE: { declined: 'soft', code: 'expired', reason: 'It expired.' },
});

export const declaration = {
  id: 'c',
  contract: 1,
  version: '1.2.3',
  title: 'C',
  settings,
  baseUrl: (of: z.output<typeof settings>) => of.base_url,
  endpoints: [createCharge, getCharge],
  statuses,
} as const;

export const connector = defineConnector({
  ...declaration,
  serves: (serve) => [
    serve(method, {
      purchase: oneCall(
        createCharge,
        ({ payment }) => ({ amount: payment.amount.text }),
        ({ reply, body }, { payment }) =>
          reply === 'created'
            ? statuses.read({ word: body.status, providerReference: body.id, amount: payment.amount })
            : { status: 'declined', kind: 'hard', code: 'declined_by_provider', reason: `Refused with ${body.code}.` },
      ),
    }),
  ],
});
