/** A signal that aborts after so long, unless its work is done before. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** It does not abort any more, and nothing of it is left. */
  readonly done: () => void;
}

/**
 * A deadline that is over when its work is. A signal of `AbortSignal.timeout` goes on behind it: it is aborted later, with an error that is put
 * together for no reader, unless it has been collected before.
 *
 * @param ms from now on; it keeps no process alive
 * @example const { signal, done } = deadline(20_000); try { await request(url, { signal }); } finally { done(); }
 */
export function deadline(ms: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms).unref();
  return { signal: controller.signal, done: () => clearTimeout(timer) };
}
