import {
  CONTRACT_VERSION,
  defineConnector,
  defineMethod,
  endpointsFor,
  type FlowContext,
  money,
  oneCall,
  type Outcome,
  type PaymentInput,
  type PlainOperation,
  settled,
} from '@railyard/core';
import * as z from 'zod';
import { listen } from './listen.ts';

const anyText = z.string().max(1000).optional();

/** Every operation, every currency: requests are refused for nothing but the session's own rules. */
function permissive<const K extends string>(key: K, parameters: z.ZodObject, openAmount = false) {
  const spec = { parameters, completion: [], openAmount };
  return defineMethod({ key, title: key, operations: { purchase: spec, debit: spec, credit: spec, transfer: spec } });
}

const nothing = z.strictObject({});
const asset = z.strictObject({ crypto_type: anyText, network_type: anyText, bech32: z.boolean().optional() });

const methods = [
  permissive('card', z.strictObject({ descriptor: z.string().max(20).optional() })),
  permissive('crypto', asset, true),
  permissive('crypto-receive', asset),
  permissive('google-pay', nothing),
  permissive('redirect', nothing),
];

const settings = z.object({ base_url: z.url() });

const pay = endpointsFor(settings)({
  name: 'pay',
  method: 'POST',
  path: '/pay',
  repeat: 'keyed',
  request: (input: Asked, { key }) => ({ headers: { 'idempotency-key': key }, json: { ...input } }),
  reply: z.object({ id: z.string(), amount: z.string() }),
});

interface Asked {
  readonly reference: string;
  /** `payer` where the payer chooses. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly test: boolean;
}

type Context = FlowContext<unknown> & {
  readonly payment: PaymentInput<PlainOperation & { readonly openAmount: true }>;
};

const settle = oneCall(
  pay,
  ({ payment }: Context): Asked => ({
    reference: payment.reference,
    amount: payment.amount === 'payer' ? 'payer' : payment.amount.text,
    currency: payment.order.currency,
    description: payment.order.description,
    test: payment.test,
  }),
  (reply, { payment }): Outcome => settled(reply.id, money(reply.amount, payment.order.currency)),
);

/** Test-only: methods that take anything and settle at once. */
export const anyMethodConnector = defineConnector({
  id: 'any-method',
  contract: CONTRACT_VERSION,
  version: '1.0.0',
  title: 'Takes anything',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [pay],
  statuses: { rows: {}, read: () => ({ status: 'unknown', why: 'not used' }) },
  serves: (serve) =>
    methods.map((method) => serve(method, { purchase: settle, debit: settle, credit: settle, transfer: settle })),
});

const askedSchema = z.object({ reference: z.string(), amount: z.string(), test: z.boolean() }).loose();

/** The provider behind it. What it was asked is in `asked`. */
export async function anyMethodProvider() {
  const asked: z.output<typeof askedSchema>[] = [];
  const server = await listen((_request, body, response) => {
    const sent = askedSchema.parse(JSON.parse(body));
    asked.push(sent);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: `tx-${sent.reference}`, amount: sent.amount === 'payer' ? '1' : sent.amount }));
  });
  return { url: server.url, asked, close: server.close };
}
