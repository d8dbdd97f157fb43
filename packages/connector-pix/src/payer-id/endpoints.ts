import { currencyCode, providerApi, JsonNumberLiteral } from '@railyard/core';
import * as z from 'zod';
import { settings } from './settings.ts';

const source = 'packages/connector-pix/README.md, Provider that wants the payer’s document';
const { endpoint } = providerApi(settings, { source });

/** Amounts are whole cents. */
export const paymentBody = z.object({
  id: z.string().min(1),
  reference: z.string().optional(),
  status: z.string(),
  amount: z.int().nonnegative(),
  currency: currencyCode(),
  pix_code: z.string().optional(),
  payment_url: z.url({ protocol: /^https?$/ }).optional(),
  expires_at: z.iso.datetime().optional(),
});
const problem = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

const sample = {
  id: 'pay_2f6c1d',
  status: 'waiting',
  amount: 1000,
  currency: 'BRL',
  pix_code:
    '00020101021226480014br.gov.bcb.pix2526pix.example/qr/v2/9d36b84f5204000053039865802BR5912Loja Exemplo6009SAO PAULO62070503***6304D34F',
};
const nothing = { error: { code: 'not_found', message: 'No such payment.' } };
const visible = ['id', 'reference', 'status', 'amount', 'currency', 'presentation', 'error.code'];
const absent = { status: 404, body: problem } as const;

export const authenticate = endpoint({
  name: 'authenticate',
  method: 'POST',
  path: '/oauth/token',
  repeat: 'safe',
  request: (_input: void, { settings }) => ({
    form: {
      grant_type: 'client_credentials',
      client_id: settings.client_id,
      client_secret: settings.client_secret,
    },
  }),
  reply: z.object({ access_token: z.string().min(1), expires_in: z.int().positive() }),
  lifetimeSeconds: ({ expires_in }) => expires_in,
  examples: [{ status: 200, body: { access_token: 'example-token', token_type: 'bearer', expires_in: 3600 }, source }],
  visible: ['expires_in', 'grant_type'],
});

export interface PaymentRequest {
  readonly token: string;
  readonly reference: string;
  readonly cents: string;
  readonly description: string;
  /** `code`: a Pix code comes back. `page`: the provider shows it on a page of its own. */
  readonly presentation: 'code' | 'page';
  readonly document: string | undefined;
  readonly name: string | undefined;
  readonly notifyUrl: string;
  readonly returnUrl: string;
}

/** The provider has no keys and takes a reference any number of times: a request without a reply is never sent again. */
export const createPayment = endpoint({
  name: 'create-payment',
  method: 'POST',
  path: '/payments',
  repeat: 'once',
  request: (input: PaymentRequest) => ({
    headers: { authorization: `Bearer ${input.token}` },
    json: {
      reference: input.reference,
      amount: new JsonNumberLiteral(input.cents),
      currency: 'BRL',
      description: input.description,
      presentation: input.presentation,
      payer: { document: input.document, name: input.name },
      notify_url: input.notifyUrl,
      return_url: input.returnUrl,
    },
  }),
  replies: {
    created: { status: [200, 201], body: paymentBody },
    refused: { status: [400, 402, 422], body: problem },
  },
  examples: [
    { is: 'created', status: 201, body: sample, source },
    { is: 'refused', status: 402, body: { error: { code: 'document_blocked', message: 'Not accepted.' } }, source },
  ],
  visible,
});

export const getPayment = endpoint({
  name: 'get-payment',
  path: '/payments/{id}',
  repeat: 'safe',
  request: ({ token, id }: { readonly token: string; readonly id: string }) => ({
    params: { id },
    headers: { authorization: `Bearer ${token}` },
  }),
  replies: { found: { status: 200, body: paymentBody }, absent },
  examples: [
    { is: 'found', status: 200, body: { ...sample, status: 'approved' }, source },
    { is: 'absent', status: 404, body: nothing, source },
  ],
  visible,
});

export const findPayment = endpoint({
  name: 'find-payment',
  path: '/payments/reference/{reference}',
  repeat: 'safe',
  request: ({ token, reference }: { readonly token: string; readonly reference: string }) => ({
    params: { reference },
    headers: { authorization: `Bearer ${token}` },
  }),
  replies: { found: { status: 200, body: paymentBody }, absent },
  examples: [
    { is: 'found', status: 200, body: sample, source },
    { is: 'absent', status: 404, body: nothing, source },
  ],
  visible,
});

export type ProviderPayment = z.output<typeof paymentBody>;
export const endpoints = [authenticate, createPayment, getPayment, findPayment];
