import { sql } from 'kysely';
import type { Context } from 'hono';
import type { ServiceContext } from '../service-context.ts';
import type { HttpEnv } from './answers.ts';

const ANSWER_MS = 2000;

/**
 * `GET /health`: 200 while the service takes requests and its database answers, 503 otherwise.
 *
 * @param withinMs how long the database may take
 */
export const health =
  ({ db, stopping }: Pick<ServiceContext, 'db' | 'stopping'>, withinMs = ANSWER_MS) =>
  async (c: Context<HttpEnv>): Promise<Response> => {
    if (stopping.aborted) return c.json({ status: 'stopping' }, 503);
    return (await answers(db, withinMs))
      ? c.json({ status: 'ok' })
      : c.json({ status: 'database does not answer' }, 503);
  };

async function answers(db: ServiceContext['db'], withinMs: number): Promise<boolean> {
  const asked = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const answered = await Promise.race([asked, late]);
  clearTimeout(timer);
  return answered;
}
