import {
  authorized,
  defineConnector,
  defineMethod,
  providerApi,
  type FlowContext,
  money,
  oneCall,
  type Outcome,
  type PaymentInput,
  type PlainOperation,
  settled,
  statusTable,
} from '@railyard/core';
import * as z from 'zod';
import { listen } from './listen.ts';
import { ACT_PATH, actProvider, moneyActions } from './money-actions.ts';

const anyText = z.string().max(1000).optional();

/** Every operation, every currency: requests are refused for nothing but the session's own rules. */
function permissive<const K extends string>(key: K, parameters: z.ZodObject, openAmount = false) {
  const spec = { parameters, completion: [], openAmount, zeroAmount: true };
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

const pay = providerApi(settings, { source: 'a test' }).endpoint({
  name: 'pay',
  method: 'POST',
  path: '/pay',
  repeat: 'keyed',
  request: (input: Asked, { key }) => ({ headers: { 'idempotency-key': key }, json: { ...input } }),
  reply: z.object({ id: z.string(), amount: z.string() }),
});

const acts = moneyActions(settings);

interface Asked {
  readonly reference: string;
  /** `payer` where the payer chooses. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly test: boolean;
  readonly auth: boolean;
}

type Context = FlowContext<unknown> & {
  readonly payment: PaymentInput<PlainOperation & { readonly openAmount: true }>;
};

const settle = oneCall(
  pay,
  ({ payment }: Context): Asked => ({
    reference: payment.merchantReference,
    amount: payment.amount === 'payer' ? 'payer' : payment.amount.text,
    currency: payment.order.currency,
    description: payment.order.description,
    test: payment.test,
    auth: payment.auth,
  }),
  (reply, { payment }): Outcome =>
    (payment.auth ? authorized : settled)(reply.id, money(reply.amount, payment.order.currency)),
);

/** Test-only: methods that take anything, settle or hold at once, and can be captured, voided and refunded. */
export const anyMethodConnector = defineConnector({
  id: 'any-method',
  contract: 1,
  version: '1.0.0',
  title: 'Takes anything',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [pay, ...acts.endpoints],
  statuses: statusTable({}),
  serves: (serve) =>
    methods.map((method) =>
      serve(method, { purchase: settle, debit: settle, credit: settle, transfer: settle, ...acts.flows }),
    ),
  notifications: acts.notifications,
});

const askedSchema = z.object({ reference: z.string(), amount: z.string(), test: z.boolean() }).loose();

/** The provider behind it. What it was asked is in `asked`; what it did, once for each idempotency key, in `done`. */
export async function anyMethodProvider() {
  const asked: z.output<typeof askedSchema>[] = [];
  const done = new Map<string, z.output<typeof askedSchema>>();
  const acts = actProvider();
  const state = {
    /** What it approves of what it is asked for. */
    approves: (amount: string): string => amount,
  };
  const server = await listen((request, body, response) => {
    if (request.url?.startsWith(ACT_PATH) === true) return acts.handle(request, body, response);
    const sent = askedSchema.parse(JSON.parse(body));
    asked.push(sent);
    done.set(String(request.headers['idempotency-key']), sent);
    response.writeHead(200, { 'content-type': 'application/json' });
    const amount = sent.amount === 'payer' ? '1' : state.approves(sent.amount);
    response.end(JSON.stringify({ id: `tx-${sent.reference}`, amount }));
  });
  return { url: server.url, asked, done, acts, state, close: server.close };
}
