import type { WorkDeps } from './deps.ts';
import { erasedRequest } from '../sessions/erased-request.ts';
import { applyRetention, type Retained, type RetentionDays } from '../storage/index.ts';

type Retaining = Pick<WorkDeps, 'db' | 'sqlClock' | 'sealer' | 'log'>;

/** Deletes and erases what is older than the configuration says; see the plan in the storage. `only`: the rules of one setting. */
export async function retain(
  { db, sqlClock, sealer, log }: Retaining,
  days: RetentionDays,
  only?: 'cards',
): Promise<Retained[]> {
  const unreadable: string[] = [];
  const done = await applyRetention(
    db,
    sqlClock,
    days,
    (session) => {
      try {
        return erasedRequest(sealer, session);
      } catch {
        unreadable.push(session.id);
        return undefined;
      }
    },
    only,
  );
  for (const { setting, days: after, tables, rows } of done)
    if (rows > 0) log.info({ event: 'retention', kind: setting, days: after, subject: tables.join('+'), rows });
  const [first] = unreadable;
  if (first !== undefined)
    log.error({ event: 'needs-attention', why: UNREADABLE, rows: unreadable.length, session: first });
  return done;
}

const UNREADABLE =
  'Requests whose retention period is over cannot be read, so their personal data is still there. Add the key that is missing in encryptionKey.';
