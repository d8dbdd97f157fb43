import { randomInt } from 'node:crypto';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { PageDeps } from './deps.ts';
import type { HttpEnv } from '../basics/answers.ts';
import type { Changes } from '../basics/changes.ts';
import { isOver, type LoadedSession, loadSession, versionOf } from './load-session.ts';
import type { pageStreams } from './page-streams.ts';

/** Read again this often, for changes that were not announced. */
const RECHECK_MS = 3000;
const STREAM_MS = 10 * 60_000;
const COME_BACK_MS = [1000, 5000] as const;

/** Where updates come from, and the open streams. */
export interface PageUpdates {
  readonly changes: Changes;
  readonly open: ReturnType<typeof pageStreams>;
}

/** Sends a page every change, for as long as it listens. */
export function events(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession, updates: PageUpdates): Response {
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const end = updates.open(loaded.session.stored.id, gone);
    try {
      await sendUpdates(context, stream, loaded, { changes: updates.changes, gone: gone.signal });
    } catch (error) {
      // The stream ends, and the page comes back: what went wrong is not for the payer.
      const why = error instanceof Error ? error.message : 'unknown';
      context.log.warn({ event: 'page-updates-ended', request: c.get('requestId'), error: why });
    } finally {
      end();
    }
  });
}

async function sendUpdates(
  context: PageDeps,
  stream: SSEStreamingApi,
  loaded: LoadedSession,
  { changes, gone }: { readonly changes: Changes; readonly gone: AbortSignal },
): Promise<void> {
  const until = context.now() + STREAM_MS;
  let sent = -1;
  while (!gone.aborted && !context.stopping.aborted && context.now() < until) {
    const now = (await loadSession(context, loaded.token)) ?? loaded;
    const version = versionOf(now, context.now());
    if (version !== sent) await stream.writeSSE({ data: JSON.stringify({ version, final: isOver(now) }) });
    else await stream.write(': still here\n\n');
    sent = version;
    if (isOver(now)) return;
    await changes.next(now.payment?.id ?? now.session.stored.id, RECHECK_MS, AbortSignal.any([gone, context.stopping]));
  }
  // Each page comes back at a time of its own, so that a restart is not followed by all of them at once.
  if (context.stopping.aborted) await stream.write(`retry: ${randomInt(...COME_BACK_MS)}\n\n`);
}
