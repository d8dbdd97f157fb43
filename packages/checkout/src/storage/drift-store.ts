import type { DriftCount } from '@railyard/runtime';
import { sql } from 'kysely';
import type { Db } from './db.ts';
import { BATCH_LIMIT } from './in-batches.ts';
import { toJsonText } from './json-text.ts';

/**
 * Of one endpoint and version, in all processes; whatever else comes is counted together. A process counts 200 by name, and names that change with
 * each process would still have no end.
 */
const MOST_OF_AN_ENDPOINT = 1000;

/** The fields and words in replies that their connectors do not declare. */
export class DriftStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Adds counts to those of all processes, always in the order of the table's key: two processes never wait for each other in a circle.
   *
   * @param more the place of what is counted together
   */
  async add(counts: readonly DriftCount[], more: string): Promise<void> {
    for (let from = 0; from < counts.length; from += BATCH_LIMIT)
      await this.#addBatch(counts.slice(from, from + BATCH_LIMIT), more);
  }

  async #addBatch(counts: readonly DriftCount[], more: string): Promise<void> {
    await sql`
      WITH given AS (
        SELECT g.*, EXISTS (SELECT FROM reply_drift o
            WHERE (o.connector_id, o.version, o.endpoint, o.kind, o.reply, o.status, o.place, o.form)
              = (g.connector, g.version, g.endpoint, g.kind, g.reply, g.status, g.place, g.form))
          OR (SELECT count(*) FROM reply_drift o WHERE (o.connector_id, o.version, o.endpoint) = (g.connector, g.version, g.endpoint))
            < ${MOST_OF_AN_ENDPOINT}::integer AS named
        FROM json_to_recordset(${toJsonText(counts)}::json) AS g (connector text, version text, endpoint text, kind text, reply text,
          status integer, place text, form text, seen bigint, "firstSeen" double precision, "lastSeen" double precision)
      ), bounded AS (
        SELECT connector, version, endpoint, kind, seen, "firstSeen", "lastSeen",
          CASE WHEN named THEN reply ELSE '' END AS reply, CASE WHEN named THEN status ELSE 0 END AS status,
          CASE WHEN named THEN place ELSE ${more} END AS place, CASE WHEN named THEN form ELSE '' END AS form
        FROM given
      )
      INSERT INTO reply_drift AS d
        (connector_id, version, endpoint, kind, reply, status, place, form, seen, first_seen_at, last_seen_at)
      SELECT connector, version, endpoint, kind, reply, status, place, form, sum(seen),
        to_timestamp(min("firstSeen") / 1000), to_timestamp(max("lastSeen") / 1000)
      FROM bounded GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
      ON CONFLICT (connector_id, version, endpoint, kind, reply, status, place, form) DO UPDATE SET seen = d.seen + excluded.seen,
        first_seen_at = least(d.first_seen_at, excluded.first_seen_at), last_seen_at = greatest(d.last_seen_at, excluded.last_seen_at)
    `.execute(this.#db);
  }

  /** Everything that is counted, by connector, version and endpoint. */
  async list(): Promise<readonly DriftCount[]> {
    const rows = await this.#db
      .selectFrom('replyDrift')
      .selectAll()
      .orderBy('connectorId')
      .orderBy('version')
      .orderBy('endpoint')
      .orderBy('kind')
      .orderBy('reply')
      .orderBy('status')
      .orderBy('place')
      .orderBy('form')
      .execute();
    return rows.map(({ connectorId, seen, firstSeenAt, lastSeenAt, ...row }) => ({
      ...row,
      connector: connectorId,
      seen: Number(seen),
      firstSeen: firstSeenAt.getTime(),
      lastSeen: lastSeenAt.getTime(),
    }));
  }
}

export const driftStore = (db: Db): DriftStore => new DriftStore(db);
