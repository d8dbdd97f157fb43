import { createHash } from 'node:crypto';
import ky from 'ky';
import { Agent, type Dispatcher, request as undiciRequest } from 'undici';
import { deadline } from './deadline.ts';
import type { ClosableTransport, HttpRequest, HttpResult } from './transport.ts';

/** Failures before the first byte of the request leaves: the name is not found, no server listens, the handshake fails. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

type Reply = Extract<HttpResult, { readonly kind: 'reply' }>;

const PLAIN = { retry: 0, timeout: false, throwHttpErrors: false } as const;

/** As every reply is read in the web: bytes that are no UTF-8 are replaced, a byte order mark is left out. */
const utf8 = new TextDecoder();

class TooLarge extends Error {}
class Closed extends Error {}

/**
 * Requests by ky over undici. Retries are the driver's affair, because only it knows what a repeat would do;
 * redirects stay unfollowed, because a followed one would carry the body to another host. Deadline and size cover the body too.
 */
export function kyClient(): ClosableTransport {
  const plain = new Agent({ connect: { timeout: 10_000 } });
  const ofAccounts = new Map<string, Agent>();
  let isClosed = false;
  const agentFor = ({ tls }: HttpRequest) => {
    if (isClosed) throw new Closed();
    if (tls === undefined) return plain;
    // A digest: the map's names must not hold a private key.
    const name = createHash('sha256')
      .update(JSON.stringify([tls.cert, tls.key, tls.ca]))
      .digest('hex');
    const agent = ofAccounts.get(name) ?? new Agent({ connect: { ...tls, timeout: 10_000 } });
    ofAccounts.set(name, agent);
    return agent;
  };
  return {
    async send(request) {
      const { signal, done } = deadline(request.timeoutMs);
      try {
        let reply: HttpResult | undefined;
        await ky(request.url, {
          ...PLAIN,
          method: request.method,
          fetch: async () => {
            const read = await exchange(request, agentFor(request), signal);
            reply = read;
            // The reply is read already. To read it out of a Response takes as much work again.
            return new Response(null, { status: read.status });
          },
        });
        return reply ?? { kind: 'lost', why: 'The HTTP client gave no reply.' };
      } catch (error) {
        return failure(error, signal.aborted, request);
      } finally {
        done();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([plain, ...ofAccounts.values()].map((agent) => agent.destroy()));
    },
  };
}

/** The fetch that ky is given: undici's plain request, the reply read to its end. */
async function exchange(request: HttpRequest, dispatcher: Dispatcher, signal: AbortSignal): Promise<Reply> {
  const reply = await undiciRequest(request.url, {
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    signal,
    dispatcher,
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply.body) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > request.maxReplyBytes) throw new TooLarge();
    chunks.push(bytes);
  }
  const headers = Object.fromEntries(
    Object.entries(reply.headers).map(([name, value]) => [
      name,
      [value ?? []]
        .flat()
        .map((each) => each.trim())
        .join(', '),
    ]),
  );
  return { kind: 'reply', status: reply.statusCode, headers, body: utf8.decode(Buffer.concat(chunks)) };
}

function failure(error: unknown, timedOut: boolean, request: HttpRequest): HttpResult {
  if (error instanceof TooLarge)
    return { kind: 'lost', why: `The reply is larger than ${request.maxReplyBytes} bytes.` };
  // As for a call that is cut off: another process looks it up, and no route is taken for out of reach.
  if (error instanceof Closed) return { kind: 'lost', why: 'The process that would send it stops.' };
  const code = codeOf(error);
  if ((code !== undefined && NEVER_SENT.has(code)) || whileConnecting(error))
    return { kind: 'not-sent', why: `The provider could not be reached (${code ?? 'no connection'}).` };
  if (timedOut) return { kind: 'lost', why: `No complete reply within ${request.timeoutMs} ms.` };
  return { kind: 'lost', why: `The connection broke${code === undefined ? '' : ` (${code})`}.` };
}

/** "No route to host" and its like may also end a connection that already carried the request; only while connecting is it harmless. */
function whileConnecting(error: unknown): boolean {
  for (let at = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : undefined)
    if ('syscall' in at && at.syscall === 'connect') return true;
  return false;
}

/** The system's error code, wherever it stands in the chain of causes. Messages are left alone: they may carry a URL. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : undefined)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return undefined;
}
