import {
  authorized,
  defineConnector,
  defineMethod,
  providerApi,
  field,
  type FlowContext,
  money,
  oneCall,
  type Outcome,
  type PaymentInput,
  type PlainOperation,
  settled,
  statusTable,
  text,
} from '@railyard/core';
import * as z from 'zod';
import { listen } from './listen.ts';

const spec = {
  parameters: z.strictObject({ note: z.string().max(40).optional() }),
  needs: { accountId: field(text({ max: 255 }).optional(), { label: 'Account' }) },
  completion: [],
};
const mirror = defineMethod({
  key: 'mirror',
  title: 'Mirror',
  operations: { purchase: spec, debit: spec, credit: spec, transfer: spec },
});
const settings = z.object({ base_url: z.url() });

type Context = FlowContext<unknown> & { readonly payment: PaymentInput<PlainOperation> };

const pay = providerApi(settings, { source: 'a test' }).endpoint({
  name: 'pay',
  method: 'POST',
  path: '/pay',
  repeat: 'keyed',
  request: (input: { readonly seen: string }, { key }) => ({ headers: { 'idempotency-key': key }, json: { ...input } }),
  reply: z.object({ id: z.string() }),
});

const settle = oneCall(
  pay,
  ({ payment }: Context) => {
    const { amount, card: _card, wallet: _wallet, ...seen } = payment;
    return { seen: JSON.stringify({ ...seen, amount: amount.text }) };
  },
  (reply, { payment }): Outcome =>
    (payment.auth ? authorized : settled)(reply.id, money(payment.amount.text, payment.order.currency)),
);

/** Test-only: sends its provider everything that a flow knows of a payment, so that a test sees what reaches a connector. */
export const mirrorConnector = defineConnector({
  id: 'mirror',
  contract: 1,
  version: '1.0.0',
  title: 'Shows what it is given',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [pay],
  statuses: statusTable({}),
  serves: (serve) => [serve(mirror, { purchase: settle, debit: settle, credit: settle, transfer: settle })],
});

const askedSchema = z.object({ seen: z.string() });

/** Its provider: `asked` holds each request with the address it was sent to. */
export async function mirrorProvider() {
  const asked: string[] = [];
  const server = await listen((request, body, response) => {
    const { seen } = askedSchema.parse(JSON.parse(body));
    asked.push(`${request.url ?? ''} ${seen}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: `tx-${asked.length}` }));
  });
  return { url: server.url, asked, close: server.close };
}
