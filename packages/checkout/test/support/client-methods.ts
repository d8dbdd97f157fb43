import {
  call,
  decimal,
  defineConnector,
  defineMethod,
  fromDecimal,
  notFound,
  providerApi,
  statusTable,
  visit,
} from '@railyard/core';
import * as z from 'zod';
import { answerJson } from './bank-pages.ts';
import { listen } from './listen.ts';

const text = z.string().max(255).optional();
const completion = ['redirect'] as const;

/** A method that takes nothing of its own, as one of the recorded clients uses it. */
export const virtualCard = defineMethod({
  key: 'vcard',
  title: 'Virtual card',
  operations: { purchase: { parameters: z.strictObject({}), completion } },
});

/** A method with the parameters that another one sends. */
export const bankOfClients = defineMethod({
  key: 'bank-a',
  title: 'Bank',
  operations: {
    purchase: {
      parameters: z.strictObject({
        subMerchantLegalName: text,
        subMerchantSegment: text,
        redirect_url: text,
        cancel_url: text,
      }),
      completion,
    },
  },
});

const settings = z.object({ base_url: z.url() });
const statuses = statusTable({ NEW: 'pending', PAID: 'settled' });
const transaction = z.object({ id: z.string(), status: z.string(), amount: z.string(), currency: z.string() });
const api = providerApi(settings, { source: 'a test' });
const open = api.endpoint({
  name: 'open',
  path: '/transactions',
  repeat: 'keyed',
  request: (json: Readonly<Record<'id' | 'amount' | 'currency', string>>, { key }) => ({ headers: { key }, json }),
  reply: z.object({ url: z.url() }),
});
const get = api.lookup('get', '/transactions/{id}', {
  found: transaction,
  absent: z.object({}),
  samples: { found: {}, absent: {} },
});

/** Test-only: its payers pay on a page of the provider's. */
export const clientMethodsConnector = defineConnector({
  id: 'client-methods',
  contract: 1,
  version: '1.0.0',
  title: 'Methods of recorded clients',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: api.endpoints,
  statuses,
  serves: (serve) =>
    [virtualCard, bankOfClients].map((method) =>
      serve(method, {
        *purchase({ payment }) {
          const { merchantReference: id, amount } = payment;
          const { url } = yield* call(open, { id, amount: decimal(amount), currency: amount.currency });
          yield* visit({ purpose: 'pay', url, reference: id, until: z.object({}) });
          return yield* stateOf(id);
        },
        status: ({ payment }) => stateOf(payment.merchantReference),
      }),
    ),
});

function* stateOf(id: string) {
  const { reply, body } = yield* call(get, id);
  if (reply === 'absent') return notFound();
  return statuses.read({ word: body.status, providerReference: id, amount: fromDecimal(body.amount, body.currency) });
}

/** The provider of these methods. */
export async function clientMethodsProvider() {
  const opened = new Map<string, z.output<typeof transaction>>();
  const server = await listen((request, body, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    if (request.method === 'GET') return answerJson(response, opened.has(id) ? 200 : 404, opened.get(id) ?? {});
    const asked = transaction.omit({ status: true }).parse(JSON.parse(body));
    opened.set(asked.id, { ...asked, status: 'NEW' });
    return answerJson(response, 201, { url: `${server.url}/pay/${asked.id}` });
  });
  return { url: server.url, opened, close: server.close };
}
