import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** A real HTTP server on a free loopback port. */
export async function listen(
  handle: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<Listening> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => handle(request, Buffer.concat(chunks).toString('utf8'), response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => close(server) };
}

/** The port that a server listens on. */
export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return address.port;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/**
 * Ports that are named before anybody listens there: below those that the system gives to whoever asks for any, and others for each
 * worker, so that nobody takes one meanwhile.
 */
const FIRST = 11_000;
const OF_EACH_WORKER = 2000;
const WORKERS = 10;
const from = FIRST + (Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS) * OF_EACH_WORKER;
let next = randomInt(OF_EACH_WORKER);

/** A port that nobody listens on, and that no other test is given. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < OF_EACH_WORKER; tries += 1) {
    next = (next + 1) % OF_EACH_WORKER;
    const port = from + next;
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${from} on is free.`);
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const holder = createServer().once('error', () => resolve(false));
    holder.listen(port, '127.0.0.1', () => holder.close(() => resolve(true)));
  });
