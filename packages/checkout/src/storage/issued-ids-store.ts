import { sql } from 'kysely';
import type { Db } from './db.ts';

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
