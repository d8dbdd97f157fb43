import type { IncomingMessage, ServerResponse } from 'node:http';
import { kyTransport } from '@railyard/runtime';
import * as z from 'zod';
import { listen } from './listen.ts';

interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Passing {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const referenceSchema = z.object({ reference: z.string() });
const HOP_BY_HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']);

/**
 * Stands before a provider and makes it slower than the time-out: it takes the requests of `takesLate`, whose replies are lost, shows
 * nothing of them before `show`, and refuses their repeats.
 */
export async function lateProxy() {
  const http = kyTransport();
  /** References of what was taken and is not shown yet. */
  const hidden = new Set<string>();
  const taken = new Set<string>();
  const state = {
    /** Where the provider is. */
    target: '',
    takesLate: (_path: string): boolean => false,
    /** What a request is answered that the provider never gets. */
    turnsAway: (_method: string, _path: string): Reply | undefined => undefined,
    /** What the repeat of a request that was taken is answered. */
    refusal: { status: 422, body: { code: 'reference_already_used' } } satisfies Reply as Reply,
    /** How many repeats were refused, and how many lookups did not show what was taken. */
    refused: 0,
    hid: 0,
  };
  const pass = async ({ method, path, headers, body }: Passing, response: ServerResponse | undefined) => {
    const reply = await http.send({
      method,
      url: `${state.target}${path}`,
      headers,
      ...(body !== '' && { body }),
      timeoutMs: 40_000,
      maxReplyBytes: 1_000_000,
    });
    if (response === undefined) return;
    if (reply.kind !== 'reply') return void response.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(reply.body);
  };
  const answer = (response: ServerResponse, { status, body, headers }: Reply) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
  const take = async (request: Passing, reference: string, response: ServerResponse) => {
    if (taken.has(reference)) {
      state.refused += 1;
      return answer(response, state.refusal);
    }
    taken.add(reference);
    hidden.add(reference);
    await pass(request, undefined);
    response.destroy();
  };
  const server = await listen((request: IncomingMessage, body, response) => {
    const { method = 'GET', url: path = '/' } = request;
    const headers = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) =>
        typeof value === 'string' && !HOP_BY_HOP.has(name) ? [[name, value]] : [],
      ),
    );
    const passing = { method, path, headers, body };
    const refusal = state.turnsAway(method, path);
    if (refusal !== undefined) return answer(response, refusal);
    if (method === 'GET' && [...hidden].some((reference) => path.includes(reference))) {
      state.hid += 1;
      return answer(response, { status: 404, body: { code: 'not_found' } });
    }
    const named = method === 'POST' ? referenceSchema.safeParse(JSON.parse(body)).data : undefined;
    const isLate = named !== undefined && (taken.has(named.reference) || state.takesLate(path));
    void (isLate ? take(passing, named.reference, response) : pass(passing, response));
  });
  return {
    url: server.url,
    state,
    /** Lookups show what was taken. */
    show: () => hidden.clear(),
    async close() {
      await server.close();
      await http.close();
    },
  };
}
