import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { callbackify } from 'node:util';
import { deadline } from '@railyard/runtime';
import { Agent, buildConnector, request } from 'undici';
import { addressProblem, type CallbackNetwork, isPublicAddress } from '../../deployment/address-rules.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Of a reply's body, which says nothing, at most so much is taken off the line to keep the connection; else it is closed. */
const MAX_REPLY_BYTES = 65_536;
const MAX_BODY_WAIT_MS = 1000;

export interface CallbackRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** How sending went. Only the status counts; a redirect is a reply like any other and is not followed. */
export type CallbackReply =
  | { readonly kind: 'reply'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: 'timed-out'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** How callbacks leave. */
export interface CallbackSender {
  send(callback: CallbackRequest): Promise<CallbackReply>;
  close(): Promise<void>;
}

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface SenderOptions {
  readonly network: CallbackNetwork;
  /** The system's resolver unless given; for tests. */
  readonly resolve?: Resolve;
}

/** The address lies where callbacks may not go. */
class ForbiddenAddress extends Error {}

/**
 * Sends callbacks. A name is resolved once per connection, every address it has must be allowed, and the connection goes to exactly these; what
 * a resolver says a moment later has no say. Proxies of the environment are not used: they would resolve the name again.
 */
export function callbackSender({ network, resolve = resolveAll }: SenderOptions): CallbackSender {
  const agent = checkedAgent(network, resolve);
  return {
    async send({ url, headers, body, timeoutMs }) {
      const problem = addressProblem(url, network);
      if (problem !== undefined) return { kind: 'failed', why: `The address may not be called. ${problem}` };
      const { signal, done } = deadline(timeoutMs);
      try {
        const reply = await request(url, { method: 'POST', headers, body, signal, dispatcher: agent });
        const retryAfter = [reply.headers['retry-after'] ?? []].flat()[0];
        // Not awaited: whether the body ends says nothing about the callback.
        const rest = deadline(MAX_BODY_WAIT_MS);
        void reply.body
          .dump({ limit: MAX_REPLY_BYTES, signal: rest.signal })
          .catch(() => reply.body.destroy())
          .finally(rest.done);
        return { kind: 'reply', status: reply.statusCode, retryAfter };
      } catch (error) {
        return failureOf(error, signal.aborted, timeoutMs);
      } finally {
        done();
      }
    },
    close: () => agent.destroy(),
  };
}

const resolveAll: Resolve = (hostname) => systemLookup(hostname, { all: true });

/** Connections only to where callbacks may go, whatever an address looks like. */
export function checkedAgent(network: CallbackNetwork, resolve: Resolve = resolveAll): Agent {
  return new Agent({ connect: checkedConnect(network, resolve) });
}

function checkedConnect(network: CallbackNetwork, resolve: Resolve): buildConnector.connector {
  const allowed = (address: string | undefined) =>
    network === 'any' || (address !== undefined && isPublicAddress(address));
  const lookup = callbackify(async (hostname: string, _options: LookupOptions): Promise<LookupAddress[]> => {
    const found = await resolve(hostname);
    if (found.length === 0 || !found.every(({ address }) => allowed(address))) throw new ForbiddenAddress(hostname);
    return [...found];
  });
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup, autoSelectFamily: true });
  return (options, done) => {
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    // A literal address never reaches the resolver, so it is checked here.
    if (isIP(literal) !== 0 && !allowed(literal)) return done(new ForbiddenAddress(literal), null);
    return connect(options, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      if (allowed(socket.remoteAddress)) return done(null, socket);
      socket.destroy();
      return done(new ForbiddenAddress(options.hostname), null);
    });
  };
}

/** In words without an address: it may carry a secret of the merchant. */
function failureOf(error: unknown, timedOut: boolean, timeoutMs: number): CallbackReply {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ForbiddenAddress) return { kind: 'failed', why: 'The address is not in the internet.' };
    const code = 'code' in at && typeof at.code === 'string' ? at.code : undefined;
    if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
      return { kind: 'timed-out', why: 'No connection in time.' };
    if (code !== undefined && !timedOut) return { kind: 'failed', why: `The receiver could not be reached (${code}).` };
  }
  return timedOut
    ? { kind: 'timed-out', why: `No reply within ${timeoutMs} ms.` }
    : { kind: 'failed', why: 'The connection broke.' };
}
