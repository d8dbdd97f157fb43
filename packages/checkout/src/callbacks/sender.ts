import { deadline, openedWhenUsed } from '@railyard/runtime';
import { addressProblem, type CallbackNetwork } from '../deployment/addresses.ts';
import type { Resolve } from './checked-agent.ts';
import { ForbiddenAddress } from './forbidden-address.ts';

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

export interface SenderOptions {
  readonly network: CallbackNetwork;
  /** Resolves names, for tests. Default: the system's resolver. */
  readonly resolve?: Resolve;
}

/**
 * Sends callbacks. A name is resolved once per connection, every address it has must be allowed, and the connection goes to exactly these; what
 * a resolver says a moment later has no say. Proxies of the environment are not used: they would resolve the name again.
 */
export function callbackSender({ network, resolve }: SenderOptions): CallbackSender & { load(): Promise<void> } {
  // Its HTTP client is loaded by the first callback: a service starts without it.
  const client = openedWhenUsed(async () => (await import('./checked-agent.ts')).checkedClient(network, resolve));
  return {
    async send({ url, headers, body, timeoutMs }) {
      const problem = addressProblem(url, network);
      if (problem !== undefined) return { kind: 'failed', why: `The address may not be called. ${problem}` };
      const ready = await client.get().catch(() => undefined);
      if (ready === undefined) return { kind: 'failed', why: 'The HTTP client could not be loaded.' };
      const { signal, done } = deadline(timeoutMs);
      try {
        const reply = await ready.post(url, { headers, body, signal });
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
    load: async () => void (await client.get()),
    close: client.close,
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
