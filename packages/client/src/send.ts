import { requestSignature, requestSignatureHeaders } from '@railyard/core/merchant';
import { readAnswer } from './read-answer.ts';
import { UnknownOutcomeError } from './errors.ts';

/** The part of `fetch` that is used, so that another may be given. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/** The options of one call besides its body. */
export interface CallOptions {
  /**
   * A repeat with the same key and the same body gets the first answer again, for 24 hours: 1 to 255 visible ASCII characters, your choice. Name what the
   * call is for, your refund's id for example. Status lookups change nothing and need none.
   */
  readonly idempotencyKey?: string;
  /** Milliseconds instead of the client's `timeoutMs`. */
  readonly timeoutMs?: number;
  /** Gives up earlier. Giving up does not take the request back: it ends as `UnknownOutcomeError`. */
  readonly signal?: AbortSignal;
}

/** The key with which a client signs its requests, in their headers. */
export interface RequestKey {
  readonly id: string;
  /** `whsec_…` */
  readonly secret: string;
}

export interface Sending {
  readonly key: RequestKey | undefined;
  readonly fetch: Fetch;
  readonly baseUrl: string;
  readonly timeoutMs: number;
}

const KEY = /^[!-~]{1,255}$/;

/** Sends one request and gives the body of a good answer; everything else is thrown as one of the errors. */
export async function send(
  sending: Sending,
  path: string,
  body: object,
  options: CallOptions & { readonly token?: string } = {},
): Promise<unknown> {
  const { idempotencyKey, timeoutMs = sending.timeoutMs, signal, token } = options;
  if (idempotencyKey !== undefined && !KEY.test(idempotencyKey))
    throw new RangeError('idempotencyKey: expected 1 to 255 visible ASCII characters.');
  const call = `POST ${path}`;
  const text = JSON.stringify(body);
  const timeout = AbortSignal.timeout(checkedTimeout(timeoutMs));
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      // Of hosted fields: it is all that such a request is known by.
      ...(token === undefined ? signedHeaders(sending, path, text) : { token }),
    },
    body: text,
    // A signed request belongs to the one address that it was sent to.
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  } as const;
  let answer;
  try {
    const response = await sending.fetch(`${sending.baseUrl}${path}`, init);
    const retryAfter = response.headers.get('retry-after');
    answer = { call, status: response.status, retryAfter, text: await response.text() };
  } catch (error) {
    if (timeout.aborted && signal?.aborted !== true)
      throw new UnknownOutcomeError(`No answer came within ${timeoutMs} ms.`, { call, timedOut: true }, error);
    throw new UnknownOutcomeError(`The connection failed before an answer came${causeOf(error)}.`, { call }, error);
  }
  return readAnswer(answer);
}

/** Made anew for each sending: the checkout accepts an id once. */
function signedHeaders({ key }: Sending, path: string, text: string): Record<string, string> {
  if (key === undefined) return {};
  const names = requestSignatureHeaders;
  const signed = { id: crypto.randomUUID(), timestamp: String(Math.floor(Date.now() / 1000)), method: 'POST', path };
  return {
    [names.key]: key.id,
    [names.id]: signed.id,
    [names.timestamp]: signed.timestamp,
    [names.signature]: requestSignature(key.secret, { ...signed, body: new TextEncoder().encode(text) }),
  };
}

/** ` (ECONNREFUSED)`, where the platform says it: an address that is wrong is seen at once. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? ` (${code})` : '';
}

/** @throws RangeError for what no timer can wait */
export function checkedTimeout(timeoutMs: number): number {
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 2 ** 31 - 1)
    throw new RangeError('timeoutMs: expected a whole number of milliseconds above 0.');
  return timeoutMs;
}
