import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RoutedReply } from './routed-request.ts';
import { readRequestBody } from './bodies.ts';
import type { ProviderRequest } from './provider.ts';
import { jsonReply, type Reply } from './reply.ts';

const MAX_BODY_BYTES = 1_048_576;

/** A request to the simulator's own pages and control interface. */
export interface OwnRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type OwnReply = Reply;

export interface ServeOptions {
  readonly port: number;
  /** Runs a task when a slow answer is due. */
  readonly slow: (task: () => void) => void;
  /** Runs a task when no caller waits any more. */
  readonly late: (task: () => void) => void;
  /**
   * `undefined`: there is no such connector. `after` runs once the answer has left, or at once where none will; for what happens when its
   * caller has given up, then.
   */
  readonly provider: (
    name: string,
    request: ProviderRequest,
  ) => (RoutedReply & { readonly after: () => void }) | undefined;
  readonly control: (request: OwnRequest) => OwnReply;
  readonly page: (request: OwnRequest) => OwnReply | undefined;
}

export interface Served {
  readonly port: number;
  /** How many callers wait for an answer that will not come. */
  waiting(): number;
  /** Breaks the connections of waiting requests. */
  hangUp(): void;
  close(): Promise<void>;
}

/** @throws Error when the port is taken. */
export function serve(options: ServeOptions): Promise<Served> {
  const silent = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    answer(options, silent, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : 'unknown';
      if (!response.headersSent) send(response, jsonReply(500, { error: message }));
      else response.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : options.port,
        waiting: () => silent.size,
        hangUp: () => silent.forEach((response) => response.destroy()),
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function answer(
  options: ServeOptions,
  silent: Set<ServerResponse>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readText(request);
  if (text === undefined) return send(response, jsonReply(413, { error: 'The body is larger than 1 MB.' }));
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const method = request.method ?? 'GET';
  const query = Object.fromEntries(url.searchParams);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = [value ?? []].flat().join(', ');
  const body = readRequestBody(text, headers['content-type'] ?? '');
  const own = { method, path: url.pathname, query, body };
  if (url.pathname.startsWith('/_simulator/')) return send(response, options.control(own));
  const page = options.page(own);
  if (page !== undefined) return send(response, page);
  const [, name = '', ...rest] = url.pathname.split('/');
  const routedReply = options.provider(name, { method, path: `/${rest.join('/')}`, query, headers, body, text });
  if (routedReply === undefined)
    return send(response, jsonReply(404, { error: `No connector is simulated under /${name}.` }));
  if (routedReply.fault !== 'nothing') return sendReply(options, response, routedReply);
  // The connection stays open without a byte until the caller gives up, either side hangs up, or the simulator ends.
  silent.add(response);
  response.once('close', () => silent.delete(response));
  if (routedReply.arrive === undefined) routedReply.after();
  else response.once('close', routedReply.after);
}

function sendReply(
  options: ServeOptions,
  response: ServerResponse,
  { reply, fault, after }: RoutedReply & { readonly after: () => void },
): void {
  response.once('close', after);
  if (fault === 'after-deadline') return options.late(() => send(response, reply));
  if (fault === 'slow') options.slow(() => send(response, reply));
  else if (fault === 'html-502') send(response, gatewayPage);
  else if (fault === 'truncated') breakOff(response, reply);
  else send(response, reply);
}

const gatewayPage: Reply = {
  status: 502,
  type: 'text/html; charset=utf-8',
  text: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
};

/** Announces the whole reply, sends half of it, and hangs up. */
function breakOff(response: ServerResponse, { status, type, text }: Reply): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.byteLength });
  response.write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)), () => response.destroy());
}

function send(response: ServerResponse, { status, type, text, headers }: OwnReply): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers });
  response.end(text);
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
