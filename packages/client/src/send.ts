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

/** What one call may be given beside its body. */
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

export interface Sending {
  readonly fetch: Fetch;
  readonly baseUrl: string;
  readonly timeoutMs: number;
}

const KEY = /^[!-~]{1,255}$/;

/** Sends one request and gives the body of a good answer; everything else is thrown as one of the errors. */
export async function send(sending: Sending, path: string, body: object, options: CallOptions = {}): Promise<unknown> {
  const { idempotencyKey, timeoutMs = sending.timeoutMs, signal } = options;
  if (idempotencyKey !== undefined && !KEY.test(idempotencyKey))
    throw new RangeError('idempotencyKey: expected 1 to 255 visible ASCII characters.');
  const call = `POST ${path}`;
  const timeout = AbortSignal.timeout(checkedTimeout(timeoutMs));
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
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
