import { randomBytes } from 'node:crypto';
import {
  call,
  collect,
  declined,
  defineConnector,
  defineMethod,
  providerApi,
  field,
  type FlowContext,
  money,
  type Outcome,
  type PaymentInput,
  type PlainOperation,
  secret,
  settled,
  statusTable,
  type Steps,
} from '@railyard/core';
import * as z from 'zod';
import type { CheckoutConfig } from '../../src/index.ts';
import { listen } from './listen.ts';

const unique = () => randomBytes(16).toString('hex');

/** One secret of each kind, which stands nowhere but where it is given. */
export function newCanaries() {
  return {
    merchantKey: '11111111-2222-4333-8444-555555555555',
    password: `password-${unique()}`,
    callbackSecret: `whsec_${randomBytes(32).toString('base64')}`,
    credential: `credential-${unique()}`,
    webhookSecret: `webhook-${unique()}`,
    cardToken: unique() + unique(),
    collectedCode: `code-${unique()}`,
  };
}

export type Canaries = ReturnType<typeof newCanaries>;

const method = defineMethod({
  key: 'coded',
  title: 'Asks for a code',
  operations: { purchase: { parameters: z.strictObject({}), completion: ['collect'] } },
});

const settings = z.object({
  base_url: z.url(),
  api_key: secret(z.string(), 'API key'),
  webhook_secret: secret(z.string(), 'Secret of notifications'),
});

const pay = providerApi(settings, { source: 'a test' }).endpoint({
  name: 'pay',
  method: 'POST',
  path: '/pay',
  repeat: 'once',
  // Long enough for an answer of this very process when the machine is busy.
  timeoutMs: 3000,
  visible: ['message', 'reference'],
  request: (input: { reference: string; amount: string; code: string }, { settings: { api_key } }) => ({
    headers: { 'x-api-key': api_key },
    json: { ...input },
  }),
  replies: {
    paid: { status: 200, body: z.object({ id: z.string() }) },
    refused: { status: 402, body: z.object({ message: z.string() }) },
  },
});

type Context = FlowContext<unknown> & { readonly payment: PaymentInput<PlainOperation> };

function* purchase({ payment }: Context): Steps<Outcome> {
  const { code } = yield* collect({
    fields: z.strictObject({ code: field(z.string().min(1).max(64), { label: 'Code' }) }),
  });
  const { text, currency } = payment.amount;
  const reply = yield* call(pay, { reference: payment.merchantReference, amount: text, code });
  if (reply.reply === 'refused') return declined('soft', 'declined_by_provider', { reason: reply.body.message });
  return settled(reply.body.id, money(text, currency));
}

/** Asks the payer for a code and sends it with the account's credential. */
export const codedConnector = defineConnector({
  id: 'coded',
  contract: 1,
  version: '1.0.0',
  title: 'Asks for a code',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [pay],
  statuses: statusTable({}),
  serves: (serve) => [serve(method, { purchase })],
});

export type Behaviour = 'pays' | 'refuses' | 'echoes' | 'garbles' | 'silent';

/** A provider that says all it knows when it fails. `behaves` decides by what it is asked next. */
export async function talkativeProvider() {
  const state: { behaves: Behaviour } = { behaves: 'pays' };
  const server = await listen((request, body, response) => {
    const echo = `bad key ${String(request.headers['x-api-key'])} in ${body}\r\n\u001b[31mforged line`;
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    switch (state.behaves) {
      case 'pays':
        return answer(200, { id: 'tx-1', echo });
      case 'refuses':
        return answer(402, { message: 'Not enough money.', echo });
      case 'echoes':
        return answer(500, { message: echo, echo });
      case 'garbles':
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(`{"broken": ${echo}`);
      case 'silent':
        return undefined;
    }
  });
  return { url: server.url, state, close: server.close };
}

/** A deployment with every canary in its place. */
export function canaryConfig(canaries: Canaries, given: { providerUrl: string; callbackUrl: string; port: number }) {
  return {
    publicUrl: `http://127.0.0.1:${given.port}`,
    port: given.port,
    callbackNetwork: 'any',
    connectors: [codedConnector],
    mids: [
      {
        id: 'coded',
        connector: codedConnector.id,
        settings: {
          base_url: given.providerUrl,
          api_key: canaries.credential,
          webhook_secret: canaries.webhookSecret,
        },
      },
    ],
    merchants: [
      {
        key: canaries.merchantKey,
        name: 'Canary shop',
        password: canaries.password,
        callbackUrl: given.callbackUrl,
        callbackSecret: canaries.callbackSecret,
        methods: [{ key: 'coded', mid: 'coded' }],
      },
    ],
  } satisfies CheckoutConfig;
}
