import {
  call,
  decimal,
  defineConnector,
  providerApi,
  fromDecimal,
  jsonNumber,
  type Money,
  paymentDetails,
  secret,
  statusTable,
  type Steps,
  unknown,
} from '@railyard/core';
import { z } from 'zod';
import { regionalBank } from './methods.ts';

const settings = z.object({ base_url: z.url(), api_key: secret(z.string(), 'API key') });

const statuses = statusTable({ paid: 'settled', open: 'pending' });

// Replies.

const transfer = z.object({
  id: z.string(),
  state: z.string(),
  // A JSON number at this provider; the runtime keeps its digits.
  amount: z.coerce.string(),
  currency: z.string(),
  account: z.string(),
});

// Endpoints.

const api = providerApi(settings, {
  source: 'the provider of this example',
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
});

const example = { id: 't-1', state: 'open', amount: 25.5, currency: 'USD', account: '0001-2' };

interface TransferInput {
  readonly country: string;
  readonly reference: string;
  readonly amount: Money;
  readonly document?: { readonly type: string; readonly number: string };
}

const createTransfer = api.endpoint('create-transfer', 'POST /{country}/transfers', {
  repeat: 'keyed',
  request: ({ country, reference, amount, document }: TransferInput, { key }) => ({
    params: { country: country.toLowerCase() },
    headers: { 'idempotency-key': key },
    json: { reference, amount: jsonNumber(amount, decimal), currency: amount.currency, document },
  }),
  reply: transfer,
  examples: [{ body: example }],
});

const getTransfer = api.endpoint('get-transfer', 'GET /transfers/{id}', {
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  reply: transfer,
  examples: [{ body: { ...example, state: 'paid' } }],
});

// Meaning of replies.

const outcomeOf = ({ id, state, amount, currency, account }: z.output<typeof transfer>) =>
  statuses.read({
    word: state,
    providerReference: id,
    amount: fromDecimal(amount, currency),
    show: paymentDetails({ beneficiary: undefined, details: [{ label: 'Account', value: account, copy: true }] }),
  });

// The connector.

export const regionalConnector = defineConnector({
  id: 'country-fields',
  contract: 1,
  version: '1.0.0',
  title: 'Banks of a region',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  serves: (serve) => [
    serve(regionalBank, {
      *purchase({ payment }) {
        const { merchantReference: reference, amount } = payment;
        const country = payment.variant;
        const order = (document?: TransferInput['document']): Steps<z.output<typeof transfer>> =>
          call(createTransfer, { country, reference, amount, ...(document && { document }) });
        // The country narrows the parameters: only a Colombian has a type of document.
        switch (payment.variant) {
          case 'BR':
            return outcomeOf(yield* order({ type: 'CPF', number: payment.parameters.cpf }));
          case 'CO': {
            const { document_type: type, document: number } = payment.parameters;
            return outcomeOf(yield* order({ type, number }));
          }
          case 'MX':
            return outcomeOf(yield* order());
        }
      },

      *status({ payment }) {
        if (payment.providerReference === undefined) return unknown('The transfer was not ordered yet.');
        return outcomeOf(yield* call(getTransfer, payment.providerReference));
      },
    }),
  ],
});
