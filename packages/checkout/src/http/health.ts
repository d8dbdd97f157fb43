import { sql } from 'kysely';
import type { Context } from 'hono';
import type { Log } from '../log/log.ts';
import type { Breakers } from '../payments/runs/breakers.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './basics/answers.ts';

const ANSWER_MS = 2000;
/** So long one answer of the database is good for everybody who asks. */
const FRESH_MS = 1000;

/**
 * `GET /health`: 200 while the service takes requests and its database answers, 503 otherwise. `degraded`: an account's circuit breaker is
 * not closed, or the log cannot be written. Strangers may ask, so which account it is stands in the log alone. The database is asked once a
 * second, however many ask.
 *
 * @param withinMs how long the database may take
 * @param clock milliseconds that never go back
 */
export const health = (
  {
    db,
    stopping,
    breakers,
    log,
  }: Pick<AppDeps, 'db' | 'stopping'> & {
    readonly breakers: Pick<Breakers, 'broken'>;
    readonly log?: Pick<Log, 'state'>;
  },
  withinMs = ANSWER_MS,
  clock: () => number = () => performance.now(),
) => {
  const asked = shared(db, clock);
  return async (c: Context<HttpEnv>): Promise<Response> => {
    if (stopping.aborted) return c.json({ status: 'stopping' }, 503);
    if (!(await inTime(asked(), withinMs))) return c.json({ status: 'database does not answer' }, 503);
    const { isStuck = false } = log?.state?.() ?? {};
    return c.json({ status: breakers.broken() || isStuck ? 'degraded' : 'ok' });
  };
};

/** Whether the database answers: one question under way at a time, and its answer as long as it is fresh. */
function shared(db: AppDeps['db'], clock: () => number): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined;
  let last: { readonly answers: boolean; readonly at: number } | undefined;
  const ask = async () => {
    const answers = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    last = { answers, at: clock() };
    underWay = undefined;
    return answers;
  };
  return () => {
    if (last !== undefined && clock() - last.at < FRESH_MS) return Promise.resolve(last.answers);
    underWay ??= ask();
    return underWay;
  };
}

async function inTime(asked: Promise<boolean>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const answered = await Promise.race([asked, late]);
  clearTimeout(timer);
  return answered;
}
