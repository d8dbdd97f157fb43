import type { Changes } from '../basics/changes.ts';
import type { PageDeps } from './deps.ts';

/** So often sessions whose pages wait are compared with what was seen, for changes that were not announced. */
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
 * @returns begins to watch a page; what it returns is called when the page waits no longer
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
