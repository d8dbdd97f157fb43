import { sql } from 'kysely';
import type { Db } from './db.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

/** Far longer than a signature is accepted after its time. */
const RETENTION_MS = 24 * 3_600_000;
const FORGET_AT_ONCE = 1000;

export interface RequestId {
  /** As it was sent, the live key or the test key. */
  readonly merchantKey: string;
  readonly keyId: string;
  readonly requestId: string;
}

/** The ids of signed requests that came. */
export class RequestIdsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Keeps an id. One statement: of any number of equal requests at once one is the first. @returns false if it came before */
  async take({ merchantKey, keyId, requestId }: RequestId): Promise<boolean> {
    const taken = await sql`
      INSERT INTO request_ids (merchant_key, key_id, request_id, expires_at)
      VALUES (${merchantKey}, ${keyId}, ${requestId}, ${this.#clock()} + ${milliseconds(RETENTION_MS)})
      ON CONFLICT DO NOTHING`.execute(this.#db);
    return taken.numAffectedRows === 1n;
  }

  /** Forgets ids whose 24 hours are over. @returns how many */
  async forget(): Promise<number> {
    const gone = await sql`
      DELETE FROM request_ids WHERE (merchant_key, key_id, request_id) IN (
        SELECT merchant_key, key_id, request_id FROM request_ids WHERE expires_at <= ${this.#clock()}
        LIMIT ${FORGET_AT_ONCE}::integer FOR UPDATE SKIP LOCKED
      )`.execute(this.#db);
    return Number(gone.numAffectedRows ?? 0n);
  }
}

export const requestIdsStore = (db: Db, clock: SqlClock): RequestIdsStore => new RequestIdsStore(db, clock);
