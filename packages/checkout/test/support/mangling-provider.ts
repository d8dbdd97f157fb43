import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from './listen.ts';
import type { PixProvider } from './pix-provider.ts';

/** What a provider answered, before it is spoilt on its way. */
export interface TrueReply {
  readonly status: number;
  readonly text: string;
}

/** Answers in the provider's place. */
export type Mangle = (reply: TrueReply, response: ServerResponse) => void;

/** The reply's fields with others in their place. @returns JSON, in which what has no UTF-8 is escaped */
export function withFields(text: string, change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...Object(JSON.parse(text)), ...change });
}

export function answerWith(response: ServerResponse, status: number, body: string | Buffer, type = 'application/json') {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

async function passOn({ method = 'GET', headers }: IncomingMessage, url: string, body: string): Promise<TrueReply> {
  const reply = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': String(headers['x-api-key']) },
    ...(method !== 'GET' && { body }),
  });
  return { status: reply.status, text: await reply.text() };
}

/**
 * Stands before the double of a Pix provider: each request has its true effect there, and the reply is mangled. Each way of mangling has an
 * address of its own.
 */
export async function manglingProvider<N extends string>(provider: PixProvider, ways: Readonly<Record<N, Mangle>>) {
  const names = Object.keys(ways);
  /** `false`: replies pass as they are. */
  const state = { mangles: true };
  const server = await listen((request, body, response) => {
    const [, index = '', ...rest] = (request.url ?? '/').split('/');
    const name = names[Number(index)] ?? '';
    const way = Object.entries<Mangle>(ways).find(([each]) => each === name)?.[1];
    void passOn(request, `${provider.url}/${rest.join('/')}`, body).then(
      (truth) =>
        state.mangles && way !== undefined ? way(truth, response) : answerWith(response, truth.status, truth.text),
      () => response.destroy(),
    );
  });
  return { state, urlOf: (name: N) => `${server.url}/${names.indexOf(name)}`, close: server.close };
}
