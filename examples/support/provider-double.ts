import { createServer } from 'node:http';
import type { RawNotification } from '@railyard/core';
import type { HttpRequest, Transport } from '@railyard/runtime';

/** A request as a provider reads it. Header names are lower case. */
export interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ProviderReply {
  readonly status: number;
  readonly body: string;
}

/** One thing that a provider did with money. */
export interface LedgerLine {
  readonly effect: string;
  readonly reference: string;
  readonly amount: string;
}

/** A provider written by hand, apart from the connector. It outlives every crash of ours. */
export interface ProviderDouble {
  readonly ledger: readonly LedgerLine[];
  handle(request: ProviderRequest): ProviderReply;
  /** Notifications that nobody has acknowledged yet. */
  readonly outbox?: RawNotification[];
}

export const reply = (status: number, value: unknown): ProviderReply => ({ status, body: JSON.stringify(value) });

/** `/payments/17` for the pattern `/payments/{id}` gives `{ id: '17' }`; another path gives nothing. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const found = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
  return found === null
    ? undefined
    : Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
}

/** Reaches a provider without a network. */
export function inProcess(provider: ProviderDouble): Transport {
  return {
    async send(request) {
      const { status, body } = provider.handle(asRead(request));
      return { kind: 'reply', status, headers: {}, body };
    },
  };
}

function asRead({ method, url, headers, body = '' }: HttpRequest): ProviderRequest {
  const { pathname, searchParams } = new URL(url);
  return { method, path: pathname, query: Object.fromEntries(searchParams), headers, body };
}

/** The same provider behind a real server on 127.0.0.1. */
export async function serve(provider: ProviderDouble): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const body = Buffer.concat(chunks).toString('utf8');
      const { method = 'GET' } = request;
      const answer = provider.handle({
        method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers,
        body,
      });
      response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
