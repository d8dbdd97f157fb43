import { withoutTrailingSlashes } from '@railyard/core/protocol';
import type { HttpRequest, Transport } from '@railyard/runtime';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import { UsageError } from '../commands/command.ts';
import type { Exchange } from './golden.ts';

/** Headers that belong to one connection only. */
/** Of one connection, or of one browser: a session of the sandbox is nothing that a connector keeps. */
const HOPS = new Set([
  'set-cookie',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'accept-encoding',
  'content-encoding',
]);

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Hands requests on to a provider and reports every exchange. It listens on 127.0.0.1 only.
 *
 * @param to the provider's base URL
 */
export function startProxy(
  to: string,
  port: number,
  transport: Transport,
  tell: (exchange: Exchange) => void,
): Promise<Proxy> {
  const base = withoutTrailingSlashes(to);
  const server = createServer(async (incoming, outgoing) => {
    const request = await requestOf(incoming, base);
    const reply = await transport.send(request);
    if (reply.kind !== 'reply') {
      outgoing.writeHead(502, { 'content-type': 'text/plain' });
      outgoing.end(`${reply.why}\n`);
      return;
    }
    tell({ request, reply });
    outgoing.writeHead(reply.status, without(reply.headers));
    outgoing.end(reply.body);
  });
  return listening(server, port);
}

/** Has a server listen on 127.0.0.1. @throws UsageError where the port is taken */
export function listening(server: Server, port: number): Promise<Proxy> {
  return new Promise((resolve, reject) => {
    server.once('error', () => reject(new UsageError(`Port ${port} cannot be listened on. Give another with --port.`)));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const own = typeof address === 'object' && address !== null ? address.port : port;
      resolve({
        url: `http://127.0.0.1:${own}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function requestOf(incoming: IncomingMessage, base: string): Promise<HttpRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks).toString('utf8');
  return {
    method: incoming.method ?? 'GET',
    url: `${base}${incoming.url ?? '/'}`,
    headers: withoutHops(incoming.headers),
    ...(body !== '' && { body }),
    timeoutMs: 45_000,
    maxReplyBytes: 1_048_576,
  };
}

/** The headers of a request that are sent on. */
export const withoutHops = (headers: IncomingHttpHeaders): Record<string, string> =>
  without(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')])));

function without(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOPS.has(name.toLowerCase())));
}
