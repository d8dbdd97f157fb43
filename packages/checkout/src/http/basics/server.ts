import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpEnv } from './answers.ts';
import { randomUUID } from 'node:crypto';
import { errorAnswer } from '@railyard/core/protocol';
import type { Duplex } from 'node:stream';

/** The requests of this process that wait for changes of a payment. */
export interface Changes {
  publish(paymentId: string): void;
  /** Wakes all of them: a change may have been missed. */
  publishAll(): void;
  /** Resolves at the next change of the payment, after the time, or when the signal aborts, and says which. */
  next(paymentId: string, withinMs: number, signal: AbortSignal): Promise<'change' | 'time' | 'aborted'>;
}

export function createChanges(): Changes {
  const waiting = new Map<string, Set<() => void>>();
  return {
    publish(paymentId) {
      for (const wake of waiting.get(paymentId) ?? []) wake();
    },
    publishAll() {
      for (const wake of [...waiting.values()].flatMap((wakes) => [...wakes])) wake();
    },
    next(paymentId, withinMs, signal) {
      // An aborted signal fires no further event.
      if (signal.aborted) return Promise.resolve('aborted');
      return new Promise((resolve) => {
        const set = waiting.get(paymentId) ?? new Set();
        waiting.set(paymentId, set);
        const end = (why: 'change' | 'time' | 'aborted') => {
          clearTimeout(timer);
          signal.removeEventListener('abort', abort);
          set.delete(wake);
          if (set.size === 0) waiting.delete(paymentId);
          resolve(why);
        };
        const wake = () => end('change');
        const abort = () => end('aborted');
        const timer = setTimeout(() => end('time'), withinMs);
        signal.addEventListener('abort', abort, { once: true });
        set.add(wake);
      });
    },
  };
}

/** Errors of Node's parser, which come before there is a request; any other is a 400. */
const KNOWN: ReadonlyMap<string, readonly [status: number, words: string, text: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'Request Header Fields Too Large', 'The headers are larger than 16 KB.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout', 'The request did not arrive in time.']],
]);

/** Answers bytes that are no HTTP request, in the same form as every other error, and ends the connection. */
export function answerClientErrors(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    if (response.socket !== null) answering.set(response.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Nothing may be written into the middle of another answer.
    const midAnswer = answering.get(socket)?.headersSent === true && answering.get(socket)?.writableEnded === false;
    if (error.code === 'ECONNRESET' || !socket.writable || midAnswer) return void socket.destroy();
    const [status, words, text] = KNOWN.get(error.code ?? '') ?? [400, 'Bad Request', 'This is no HTTP request.'];
    const request_id = randomUUID();
    const { body } = errorAnswer({ http_code: status, error_code: String(status), error_message: text, request_id });
    const json = JSON.stringify(body);
    const head = [
      `HTTP/1.1 ${status} ${words}`,
      'connection: close',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(json)}`,
      `x-request-id: ${request_id}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
  });
}

/** A request comes within 10 s, so that slow senders cannot hold all connections. */
const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
};

/** Longer than a provider may take to answer in most cases, because a request under way may be waiting for one. */
const DRAIN_MS = 20_000;
const IDLE_CHECK_MS = 50;

export interface Serving {
  readonly url: string;
  /**
   * Takes no new connections and waits for the requests under way; what then still hangs is cut off.
   *
   * @param lastCallMs how long connections that are open may still bring a request: each learns with its next answer that it
   * was the last. A connection closed at once would be closed under a request that is just being sent.
   */
  close(lastCallMs: number): Promise<void>;
}

/** Adds a remedy to the two common start errors, beside the system's own message. */
function withAdvice(
  error: Error & { code?: unknown },
  { host, port }: { readonly host: string; readonly port: number },
) {
  const advice = ADVICE.get(String(error.code));
  return advice === undefined ? error : new Error(`${host}:${port} ${advice} (${error.message})`, { cause: error });
}

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'is in use by another program, or by this service started twice. End it, or set another "port".'],
  ['EACCES', 'may not be listened on by this user. Set a "port" above 1023.'],
]);

/** @throws the system's error when the address cannot be had, for example because another process listens there. */
export async function serve(
  app: Hono<HttpEnv>,
  at: { readonly host: string; readonly port: number },
): Promise<Serving> {
  const underWay = new Set<ServerResponse>();
  const handled = new Set<Promise<void>>();
  let closing = false;
  const listener = getRequestListener(app.fetch);
  const server = createServer(SERVER_OPTIONS, (request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    if (closing) response.setHeader('connection', 'close');
    const handling = Promise.resolve(listener(request, response)).finally(() => handled.delete(handling));
    handled.add(handling);
  });
  answerClientErrors(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(withAdvice(error, at)));
    server.listen(at.port, at.host, () => resolve());
  });
  return {
    url: addressOf(server.address()),
    async close(lastCallMs) {
      closing = true;
      for (const response of underWay) if (!response.headersSent) response.setHeader('connection', 'close');
      if (lastCallMs > 0) await sleep(lastCallMs);
      await drain(server);
      // Where the client has gone, its request goes on: a provider may be answering it.
      await Promise.race([Promise.allSettled(handled), sleep(DRAIN_MS, undefined, { ref: false })]);
    },
  };
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that was busy at first would otherwise be kept alive for seconds after its last answer.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
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
