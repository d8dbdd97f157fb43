import { providerApi } from '@railyard/core';
import * as z from 'zod';
import type { Identification } from '../identifications.ts';
import { bankList, payment, problem } from './replies.ts';
import { settings } from './settings.ts';

/** Where the initiation provider's exchanges are written down. */
export const source = 'packages/connector-open-banking/README.md, Initiation provider';
const { endpoint } = providerApi(settings, { source });

export const samplePayment = {
  id: 'pi_4c1e90',
  status: 'RCVD',
  amount: '10.00',
  currency: 'GBP',
  authorization_url: 'https://bank.example/authorize/pi_4c1e90',
};
export const unknownOne = { code: 'not_found' };

const visible = ['id', 'reference', 'status', 'status_reason', 'amount', 'currency', 'bank_id', 'country', 'code'];
const absent = { status: 404, body: problem } as const;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const lookups = {
  replies: { found: { status: 200, body: payment }, absent },
  examples: [
    { is: 'found', status: 200, body: { ...samplePayment, status: 'ACSC' }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible,
} as const;

export const authenticate = endpoint({
  name: 'authenticate',
  method: 'POST',
  path: '/v1/token',
  repeat: 'safe',
  request: (_input: void, { settings: { client_id, client_secret } }) => ({
    form: { grant_type: 'client_credentials', client_id, client_secret },
  }),
  reply: z.object({ access_token: z.string().min(1), expires_in: z.int().positive() }),
  lifetimeSeconds: ({ expires_in }) => expires_in,
  examples: [{ status: 200, body: { access_token: 'example-token', expires_in: 3600 }, source }],
  visible: ['grant_type', 'expires_in'],
});

interface Asking {
  readonly token: string;
}

export interface BanksInput extends Asking {
  readonly country: string;
  readonly currency: string;
}

/** The banks at which payers of a country can be sent to pay. */
export const listBanks = endpoint({
  name: 'list-banks',
  path: '/v1/banks',
  repeat: 'safe',
  request: ({ token, country, currency }: BanksInput) => ({ query: { country, currency }, headers: bearer(token) }),
  reply: bankList,
  examples: [
    {
      status: 200,
      body: {
        banks: [
          { id: 'bank_north', name: 'North Bank' },
          { id: 'bank_south', name: 'South Bank' },
        ],
      },
      source,
    },
  ],
  visible,
});

export const getPayment = endpoint({
  name: 'get-payment',
  path: '/v1/payments/{id}',
  repeat: 'safe',
  request: ({ token, id }: Asking & { readonly id: string }) => ({ params: { id }, headers: bearer(token) }),
  ...lookups,
});

export const findPayment = endpoint({
  name: 'find-payment',
  path: '/v1/payments/reference/{reference}',
  repeat: 'safe',
  request: ({ token, reference }: Asking & { readonly reference: string }) => ({
    params: { reference },
    headers: bearer(token),
  }),
  ...lookups,
});

export interface PaymentInput extends Asking {
  readonly reference: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly bank_id: string | undefined;
  readonly payer: { readonly name: string | undefined; readonly email: string | undefined };
  readonly payee: {
    readonly name: string;
    readonly country: string;
    readonly identifications: readonly Identification[];
  };
  readonly redirect_url: string;
  readonly notify_url: string;
}

/** The provider keeps one payment for each `idempotency-key`. */
export const createPayment = endpoint({
  name: 'create-payment',
  method: 'POST',
  path: '/v1/payments',
  repeat: 'keyed',
  request: ({ token, payee, ...input }: PaymentInput, { key }) => ({
    headers: { ...bearer(token), 'idempotency-key': key },
    json: {
      ...input,
      payee: {
        ...payee,
        identifications: payee.identifications.map(({ type, identification }) => ({ type, identification })),
      },
    },
  }),
  replies: { created: { status: [200, 201], body: payment }, refused: { status: [400, 402, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: samplePayment, source },
    { is: 'refused', status: 422, body: { code: 'AC01' }, source },
  ],
  visible,
});

export const endpoints = [authenticate, listBanks, createPayment, getPayment, findPayment];
