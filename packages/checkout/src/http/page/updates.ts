import type { Changes } from '../basics/server.ts';
import type { PageDeps } from '../deps.ts';
import { randomInt } from 'node:crypto';
import type { Context } from 'hono';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import type { HttpEnv } from '../basics/answers.ts';
import { isOver, loadSession, versionOf, type LoadedSession } from './load-session.ts';

/** Tabs of one page that get updates at once; any further one asks now and then. */
const MOST = 5;

/**
 * Counts the streams that are open. One too many ends the oldest of its page: that one may be a phone that has long left its
 * network, while the newest is surely there.
 *
 * @returns begins a stream of a page, and returns a function to call when the stream has ended
 */
export function pageStreams(most = MOST): (page: string, stream: AbortController) => () => void {
  const open = new Map<string, Set<AbortController>>();
  return (page, stream) => {
    const streams = open.get(page) ?? new Set();
    open.set(page, streams.add(stream));
    for (const oldest of [...streams].slice(0, -most)) {
      streams.delete(oldest);
      oldest.abort();
    }
    return () => {
      streams.delete(stream);
      if (streams.size === 0) open.delete(page);
    };
  };
}

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
      // The stream ends and the browser connects again. The payer sees no error.
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

/** How often the sessions of waiting pages are compared with their last seen state, for changes that were not announced. */
const RECHECK_MS = 3000;

/** A page that waits: its session, and the id that changes of it are published under. */
export interface WaitingPage {
  readonly sessionId: string;
  changeId: string;
}

/**
 * Compares the sessions of all waiting pages in one statement, and wakes the pages of those that have changed: however many wait, it is one
 * statement.
 *
 * @returns begins to watch a page, and returns a function to call when the page waits no longer
 */
export function watchPages({ stores }: PageDeps, changes: Pick<Changes, 'publish'>): (page: WaitingPage) => () => void {
  const waiting = new Set<WaitingPage>();
  let seen: ReadonlyMap<string, string> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let rechecking: Promise<void> | undefined;
  const recheck = async () => {
    const marks = await stores.sessions.marksOf([...new Set([...waiting].map(({ sessionId }) => sessionId))]);
    const before = seen;
    seen = marks;
    // One that is new here may have changed since its page was shown.
    for (const { sessionId, changeId } of waiting)
      if (marks.get(sessionId) !== before.get(sessionId)) changes.publish(changeId);
  };
  const tick = () => {
    // Where the database is away, the next recheck finds what changed.
    rechecking ??= recheck()
      .catch(() => undefined)
      .finally(() => (rechecking = undefined));
  };
  return (page) => {
    waiting.add(page);
    timer ??= setInterval(tick, RECHECK_MS).unref();
    return () => {
      waiting.delete(page);
      if (waiting.size > 0) return;
      clearInterval(timer);
      timer = undefined;
      seen = new Map();
    };
  };
}
