import { randomInt } from 'node:crypto';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { PageDeps } from './deps.ts';
import type { HttpEnv } from '../basics/answers.ts';
import type { Changes } from '../basics/changes.ts';
import { isOver, type LoadedSession, loadSession, versionOf } from './load-session.ts';
import type { pageStreams } from './page-streams.ts';
import type { WaitingPage, watchPages } from './watch-pages.ts';

/** A page is told this often that its stream lives. */
const ALIVE_MS = 3000;
const STREAM_MS = 10 * 60_000;
const COME_BACK_MS = [1000, 5000] as const;

/** Where updates come from, and the open streams. */
export interface PageUpdates {
  readonly changes: Changes;
  readonly open: ReturnType<typeof pageStreams>;
  readonly watch: ReturnType<typeof watchPages>;
}

/** Sends a page every change, for as long as it listens. */
export function events(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession, updates: PageUpdates): Response {
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const sessionId = loaded.session.stored.id;
    const end = updates.open(sessionId, gone);
    const page = { sessionId, changeId: sessionId };
    const unwatch = updates.watch(page);
    try {
      await sendUpdates(context, stream, loaded, { changes: updates.changes, page, gone: gone.signal });
    } catch (error) {
      // The stream ends, and the page comes back: what went wrong is not for the payer.
      const why = error instanceof Error ? error.message : 'unknown';
      context.log.warn({ event: 'page-updates-ended', request: c.get('requestId'), error: why });
    } finally {
      unwatch();
      end();
    }
  });
}

interface Waiting {
  readonly page: WaitingPage;
  /** Aborts when the page has gone. */
  readonly gone: AbortSignal;
}

async function sendUpdates(
  context: PageDeps,
  stream: SSEStreamingApi,
  loaded: LoadedSession,
  { changes, page, gone }: Pick<PageUpdates, 'changes'> & Waiting,
): Promise<void> {
  const until = context.now() + STREAM_MS;
  let sent = -1;
  let now: LoadedSession | undefined;
  while (!gone.aborted && !context.stopping.aborted && context.now() < until) {
    now ??= (await loadSession(context, loaded.token)) ?? loaded;
    const version = versionOf(now, context.now());
    if (version !== sent) await stream.writeSSE({ data: JSON.stringify({ version, final: isOver(now) }) });
    else await stream.write(': still here\n\n');
    sent = version;
    if (isOver(now)) return;
    page.changeId = now.payment?.id ?? now.session.stored.id;
    const why = await changes.next(page.changeId, ALIVE_MS, AbortSignal.any([gone, context.stopping]));
    // Only what has changed is read again; that the session's time is over shows without it.
    if (why !== 'time') now = undefined;
  }
  // Each page comes back at a time of its own, so that a restart is not followed by all of them at once.
  if (context.stopping.aborted) await stream.write(`retry: ${randomInt(...COME_BACK_MS)}\n\n`);
}
