import type { HttpRequest, HttpResult, Journal, Transport } from '@railyard/runtime';

/** The process dies here: everything unwinds, and only what is on disk is left. */
export class Crash extends Error {}

/** Numbered points, counted over restarts, at which a process may die. */
export interface CrashPoints {
  readonly names: readonly string[];
  pass(name: string): void;
}

export function crashAt(numbers: readonly number[]): CrashPoints {
  const names: string[] = [];
  return {
    names,
    pass(name) {
      names.push(name);
      if (numbers.includes(names.length)) throw new Crash(`${names.length}: ${name}`);
    },
  };
}

/** Crash points before and after every write. */
export function crashingJournal(journal: Journal, points: CrashPoints): Journal {
  const around = async <T>(name: string, write: () => Promise<T>): Promise<T> => {
    points.pass(`before ${name}`);
    const written = await write();
    points.pass(`after ${name}`);
    return written;
  };
  return {
    load: (run) => journal.load(run),
    begin: (run, step, kind) => around(`begin ${step}`, () => journal.begin(run, step, kind)),
    notSent: (run, step) => around(`not sent ${step}`, () => journal.notSent(run, step)),
    finish: (run, step, reply) => around(`finish ${step}`, () => journal.finish(run, step, reply)),
  };
}

/** Crash points before a request leaves, and after the provider acted but before its reply is here. */
export function crashingTransport(transport: Transport, points: CrashPoints): Transport {
  return {
    async send(request) {
      points.pass(`before ${request.method} ${request.url}`);
      const result = await transport.send(request);
      points.pass(`after ${request.method} ${request.url}`);
      return result;
    },
  };
}

/** The fate of one request: `send` lets it through to the provider. */
export type Spoil = (request: HttpRequest, send: () => Promise<HttpResult>) => Promise<HttpResult>;

/** The faults that a network can give one request. In the last three the provider has acted. */
export const NETWORK_FAULTS = ['not sent', 'lost', '502', 'cut off'] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

const SPOILS: Readonly<Record<NetworkFault, Spoil>> = {
  'not sent': async () => ({ kind: 'not-sent', why: 'refused' }),
  lost: afterwards(() => ({ kind: 'lost', why: 'reset' })),
  '502': afterwards((reply) => ({ ...reply, status: 502, body: '<html>Bad Gateway</html>' })),
  'cut off': afterwards((reply) => ({ ...reply, body: reply.body.slice(0, reply.body.length / 2) })),
};

/** The provider acts, and its reply is spoilt. */
export function afterwards(spoil: (reply: Reply, request: HttpRequest) => HttpResult): Spoil {
  return async (request, send) => {
    const result = await send();
    return result.kind === 'reply' ? spoil(result, request) : result;
  };
}

export type Reply = Extract<HttpResult, { kind: 'reply' }>;

/** Spoils the request of one number. */
export function faultyTransport(transport: Transport, at: number, fault: NetworkFault | Spoil): Transport {
  const spoil = typeof fault === 'string' ? SPOILS[fault] : fault;
  let sends = 0;
  return {
    async send(request) {
      sends += 1;
      return sends === at ? spoil(request, () => transport.send(request)) : transport.send(request);
    },
  };
}
