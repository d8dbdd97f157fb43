import {
  call,
  type Connector,
  credential,
  declined,
  defineConnector,
  defineMethod,
  providerApi,
  type Endpoint,
  type Outcome,
  secret,
  settled,
  money,
  statusTable,
  type Steps,
} from '@railyard/core';
import { type CardPart, CardHandle } from '@railyard/core/driver';
import { z } from 'zod';
import { drive, type Host, memoryCredentials, memoryJournal, type Run } from '../../src/index.ts';
import type { HttpRequest, HttpResult } from '../../src/index.ts';

export const settings = z.object({ base_url: z.url(), api_key: secret(z.string(), 'API key') });
export type Settings = z.output<typeof settings>;
export const { endpoint } = providerApi(settings, { source: 'a test' });
export const values: Settings = { base_url: 'https://api.example/v1/', api_key: 'k-secret' };

export const method = defineMethod({
  key: 'sample',
  title: 'Sample',
  operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
});

export const five = money('5.00', 'USD');
export const token = endpoint({
  name: 'token',
  path: '/token',
  repeat: 'safe',
  request: () => ({}),
  reply: z.object({ token: z.string() }),
  lifetimeSeconds: () => 600,
});

export const find = endpoint({
  name: 'find',
  path: '/charges',
  repeat: 'safe',
  request: (bearer: string) => ({ headers: { authorization: bearer } }),
  reply: z.object({ charges: z.array(z.object({ id: z.string() })) }),
});

const replies = {
  made: { status: 201, body: z.object({ id: z.string() }) },
  refused: { status: 402, body: z.object({ code: z.string() }) },
};
const request = (bearer: string) => ({ headers: { authorization: bearer }, json: { amount: '5.00' } });

export const charges = {
  safe: endpoint({ name: 'charge', method: 'POST', path: '/charges', repeat: 'safe', request, replies }),
  keyed: endpoint({ name: 'charge', method: 'POST', path: '/charges', repeat: 'keyed', request, replies }),
  once: endpoint({ name: 'charge', method: 'POST', path: '/charges', repeat: 'once', request, replies }),
  'by-reference': endpoint({
    name: 'charge',
    method: 'POST',
    path: '/charges',
    repeat: 'by-reference',
    request,
    find: {
      endpoint: find,
      input: (bearer) => bearer,
      read: ({ charges: [first] }) =>
        first === undefined ? 'absent' : { found: { reply: 'made', body: { id: first.id } } },
    },
    replies,
  }),
};

export type Policy = keyof typeof charges;

/** A connector with one flow. */
export function connectorOf(
  flow: () => Steps<Outcome>,
  endpoints: readonly Endpoint<Settings, never, unknown>[],
  version = '1.0.0',
): Connector {
  return defineConnector({
    id: 'sample',
    contract: 1,
    version,
    title: 'Sample',
    settings,
    baseUrl: (each) => each.base_url,
    endpoints,
    statuses: statusTable({}),
    serves: (serve) => [serve(method, { purchase: flow })],
  });
}

/** Gets a token, then charges. */
export function chargeConnector(policy: Policy): Connector {
  const charge = charges[policy];
  return connectorOf(
    function* () {
      const bearer = yield* credential(token);
      const made = yield* call(charge, bearer.token);
      return made.reply === 'made'
        ? settled(made.body.id, five)
        : declined('soft', 'declined_by_provider', { reason: made.body.code });
    },
    [token, find, charge],
  );
}

export function runOf(connector: Connector, id = 'run-1'): Run {
  return { id, connector, method, flow: 'purchase', settings: values, mid: 'm1', context: {} };
}

type Script = (
  request: HttpRequest,
) =>
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  | Exclude<HttpResult, { kind: 'reply' }>;

/** A host whose provider is a script. */
export function hostOf(script: Script, journal = memoryJournal(), card: Partial<Record<CardPart, string>> = {}) {
  const requests: HttpRequest[] = [];
  const log: string[] = [];
  const host: Host = {
    journal,
    credentials: memoryCredentials(() => 0),
    now: () => 0,
    openCard: (handle) => card[handle.part],
    log: (line) => log.push(JSON.stringify(line)),
    transport: {
      async send(each) {
        requests.push(each);
        const result = script(each);
        return 'why' in result ? result : { kind: 'reply', headers: {}, ...result };
      },
    },
  };
  return { host, requests, log, journal, drive: (connector: Connector) => drive(runOf(connector), host) };
}

export const json = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) });
export const pathOf = ({ url }: HttpRequest) => new URL(url).pathname;
export const card = { number: new CardHandle('number'), cvv: new CardHandle('cvv') };
