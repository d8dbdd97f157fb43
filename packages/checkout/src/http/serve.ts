import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Hono } from 'hono';
import type { AddressInfo } from 'node:net';
import type { HttpEnv } from './answers.ts';

/** Headers come within 10 s and a request within 60 s, so that slow senders cannot hold all connections. */
const SERVER_OPTIONS = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 1000 };

/** Longer than a provider may take to answer, because a request under way may be waiting for one. */
const DRAIN_MS = 20_000;
const IDLE_LOOK_MS = 50;

export interface Serving {
  readonly url: string;
  /** Takes no new connections and waits for the requests under way; what then still hangs is cut off. */
  close(): Promise<void>;
}

/** @throws the system's error when the address cannot be had, for example because another process listens there. */
export async function serve(
  app: Hono<HttpEnv>,
  at: { readonly host: string; readonly port: number },
): Promise<Serving> {
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: SERVER_OPTIONS });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => resolve());
  });
  return {
    url: addressOf(server.address()),
    close: () => drain(server),
  };
}

function drain(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    // A connection that was busy at first would otherwise be kept alive for seconds after its last answer.
    const idle = setInterval(() => {
      if ('closeIdleConnections' in server) server.closeIdleConnections();
    }, IDLE_LOOK_MS);
    const cut = setTimeout(() => {
      if ('closeAllConnections' in server) server.closeAllConnections();
    }, DRAIN_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
  });
}

function addressOf(address: AddressInfo | string | null): string {
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
