import { sql } from 'kysely';
import { milliseconds, type Db, type SqlClock } from './database/sql.ts';

const RETENTION_MSIdempotencyStore = 24 * 3_600_000;
/** A request is handled within this, or its process has died. */
const HELD_MS = 60_000;
const FORGET_AT_ONCEIdempotencyStore = 1000;

export interface NewKey {
  readonly merchantKey: string;
  readonly idempotencyKey: string;
  /** SHA-256 of the address and the body. */
  readonly requestHash: string;
  /** A UUID: the id of the resource that the request is about to make. */
  readonly resourceId: string;
}

export type ClaimedKey =
  /** To be handled now. `isRetry`: it was started before and not finished, so its resource may be there. */
  | { readonly kind: 'mine'; readonly resourceId: string; readonly isRetry: boolean }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'other-request' }
  | { readonly kind: 'answered'; readonly resourceId: string; readonly status: number; readonly answerText: string };

interface Row {
  readonly mine: boolean;
  readonly resourceId: string;
  readonly requestHash: string;
  readonly status: number | null;
  readonly answerText: string | null;
}

/** The idempotency keys of merchants. */
export class IdempotencyStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Takes a key, or says how the request stands that has it. One statement: of any number of equal requests at once one is handled. */
  async claim(key: NewKey): Promise<ClaimedKey> {
    // A row that another request wrote while this statement ran is seen by the next one.
    const row = (await this.#tryClaim(key)) ?? (await this.#tryClaim(key));
    if (row === undefined) return { kind: 'under-way' };
    if (row.mine) return { kind: 'mine', resourceId: row.resourceId, isRetry: row.resourceId !== key.resourceId };
    if (row.requestHash !== key.requestHash) return { kind: 'other-request' };
    if (row.status === null || row.answerText === null) return { kind: 'under-way' };
    return { kind: 'answered', resourceId: row.resourceId, status: row.status, answerText: row.answerText };
  }

  async #tryClaim(key: NewKey): Promise<Row | undefined> {
    const now = this.#clock();
    const claimed = await sql<Row>`
      WITH claimed AS (
        INSERT INTO idempotency_keys AS k (merchant_key, idempotency_key, request_hash, resource_id, held_until, created_at, expires_at)
        VALUES (${key.merchantKey}, ${key.idempotencyKey}, ${key.requestHash}, ${key.resourceId}::uuid, ${now} + ${milliseconds(HELD_MS)},
          ${now}, ${now} + ${milliseconds(RETENTION_MSIdempotencyStore)})
        ON CONFLICT (merchant_key, idempotency_key) DO UPDATE SET
          resource_id = CASE WHEN k.expires_at <= ${now} THEN excluded.resource_id ELSE k.resource_id END,
          request_hash = excluded.request_hash, status = NULL, answer_text = NULL,
          held_until = excluded.held_until, created_at = excluded.created_at, expires_at = excluded.expires_at
          WHERE k.expires_at <= ${now}
            OR (k.status IS NULL AND k.held_until <= ${now} AND k.request_hash = excluded.request_hash)
        RETURNING *
      )
      SELECT true AS mine, resource_id, request_hash, status, answer_text FROM claimed
      UNION ALL
      SELECT false, resource_id, request_hash, status, answer_text FROM idempotency_keys
      WHERE merchant_key = ${key.merchantKey} AND idempotency_key = ${key.idempotencyKey} AND NOT EXISTS (SELECT FROM claimed)`.execute(
      this.#db,
    );
    return claimed.rows[0];
  }

  /** Keeps the answer, which every repeat gets from now on. */
  async answer(
    { merchantKey, idempotencyKey }: NewKey,
    resourceId: string,
    status: number,
    text: string,
  ): Promise<void> {
    await sql`UPDATE idempotency_keys SET status = ${status}::integer, answer_text = ${text}
      WHERE merchant_key = ${merchantKey} AND idempotency_key = ${idempotencyKey} AND resource_id = ${resourceId}::uuid
        AND status IS NULL`.execute(this.#db);
  }

  /** Nothing came of the request: the key may be used again, also for a corrected request. */
  async release({ merchantKey, idempotencyKey }: NewKey, resourceId: string): Promise<void> {
    await sql`DELETE FROM idempotency_keys
      WHERE merchant_key = ${merchantKey} AND idempotency_key = ${idempotencyKey} AND resource_id = ${resourceId}::uuid
        AND status IS NULL`.execute(this.#db);
  }

  /** The effect of the request is unknown: its repeat takes it up at once. */
  async letGo({ merchantKey, idempotencyKey }: NewKey, resourceId: string): Promise<void> {
    await sql`UPDATE idempotency_keys SET held_until = ${this.#clock()}
      WHERE merchant_key = ${merchantKey} AND idempotency_key = ${idempotencyKey} AND resource_id = ${resourceId}::uuid
        AND status IS NULL`.execute(this.#db);
  }

  /** Forgets keys whose 24 hours are over. @returns how many */
  async forget(): Promise<number> {
    const gone = await sql`
      DELETE FROM idempotency_keys WHERE (merchant_key, idempotency_key) IN (
        SELECT merchant_key, idempotency_key FROM idempotency_keys WHERE expires_at <= ${this.#clock()}
        LIMIT ${FORGET_AT_ONCEIdempotencyStore}::integer FOR UPDATE SKIP LOCKED
      )`.execute(this.#db);
    return Number(gone.numAffectedRows ?? 0n);
  }
}

export const idempotencyStore = (db: Db, clock: SqlClock): IdempotencyStore => new IdempotencyStore(db, clock);

/** The ids with which the signed texts of returns and callbacks begin. */
export class IssuedIdsStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Whether this is, or was, the id of any payment. @param id a UUID */
  async isPayment(id: string): Promise<boolean> {
    const { rows } = await sql<{ known: boolean }>`
      SELECT EXISTS (SELECT FROM payments WHERE id = ${id}::uuid)
        OR EXISTS (SELECT FROM former_payments WHERE id = ${id}::uuid) AS known`.execute(this.#db);
    return rows[0]?.known === true;
  }

  /** Whether this is, or was, the id of any transaction. */
  async isTransaction(reference: string): Promise<boolean> {
    const { rows } = await sql<{ known: boolean }>`
      SELECT EXISTS (SELECT FROM payments WHERE merchant_reference = ${reference})
        OR EXISTS (SELECT FROM former_payments WHERE merchant_reference = ${reference}) AS known`.execute(this.#db);
    return rows[0]?.known === true;
  }
}

export const issuedIdsStore = (db: Db): IssuedIdsStore => new IssuedIdsStore(db);

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
