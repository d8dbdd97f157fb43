import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { BATCH_LIMIT, inBatches } from './in-batches.ts';
import type { Db } from './open-database.ts';
import type { CardsTable, CardTokensTable } from './schema/cards.ts';
import type { MerchantScope } from './sessions-store.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

/** A card as it is kept: number and name sealed, or taken away. */
export type KeptCard = Selectable<CardsTable>;
export type KeptToken = Selectable<CardTokensTable>;

/** The card of an attempt, sealed for its own row. Merchant and mode are those of the attempt's session. */
export type NewCard = Omit<
  CardsTable,
  'merchantKey' | 'test' | 'createdAt' | 'removedAt' | 'numberText' | 'holderText'
> & {
  readonly numberText: string;
  readonly holderText: string;
};

export type NewCardToken = Pick<CardTokensTable, 'tokenHash' | 'tokenText'>;

const DAY = 86_400_000;

/** Cards and their tokens. They come with an attempt (see `beginPayment`) and are looked up for one merchant and mode. */
export class CardsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  async find(id: string): Promise<KeptCard | undefined> {
    return this.#db.selectFrom('cards').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async findAll(ids: readonly string[]): Promise<KeptCard[]> {
    return ids.length === 0 ? [] : this.#db.selectFrom('cards').selectAll().where('id', 'in', ids).execute();
  }

  /** The cards behind these tokens, as far as the merchant has them in this mode. */
  async ofTokens(
    { merchantKey, test }: MerchantScope,
    hashes: readonly string[],
  ): Promise<readonly (KeptCard & { readonly tokenHash: string })[]> {
    if (hashes.length === 0) return [];
    return this.#db
      .selectFrom('cardTokens as t')
      .innerJoin('cards as c', 'c.id', 't.cardId')
      .selectAll('c')
      .select('t.tokenHash')
      .where('t.merchantKey', '=', merchantKey)
      .where('t.test', '=', test)
      .where('t.tokenHash', 'in', hashes)
      .execute();
  }

  async token(hash: string): Promise<KeptToken | undefined> {
    return this.#db.selectFrom('cardTokens').selectAll().where('tokenHash', '=', hash).executeTakeFirst();
  }

  /** The merchant's token of a card with this number and expiry date. */
  async tokenOf(
    { merchantKey, test }: MerchantScope,
    card: Pick<KeptCard, 'fingerprint' | 'expiryMonth' | 'expiryYear'>,
  ): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('cards as c')
      .innerJoin('cardTokens as t', 't.cardId', 'c.id')
      .select('t.tokenHash')
      .where('c.fingerprint', '=', card.fingerprint)
      .where('c.expiryMonth', '=', card.expiryMonth)
      .where('c.expiryYear', '=', card.expiryYear)
      .where('t.merchantKey', '=', merchantKey)
      .where('t.test', '=', test)
      .orderBy('t.createdAt')
      .limit(1)
      .executeTakeFirst();
    return row?.tokenHash;
  }

  /**
   * Takes number and name of the cards away whose payments are finished for so many days and which no token needs. The token of a
   * purchase that failed goes first: its merchant was never told of it.
   *
   * @returns how many cards
   */
  async remove(days: number): Promise<number> {
    const limit = sql`${this.#clock()} - ${milliseconds(days * DAY)}`;
    await inBatches(
      this.#db,
      sql`DELETE FROM card_tokens WHERE token_hash IN (
        SELECT t.token_hash FROM card_tokens t JOIN payments made ON made.id = t.made_by
        WHERE t.created_at <= ${limit} AND made.operation = 'purchase' AND made.state IN ('declined', 'expired')
          AND NOT EXISTS (SELECT FROM payments p WHERE p.card_token_hash = t.token_hash
            AND (p.state NOT IN ('declined', 'expired') OR p.updated_at > ${limit}))
        LIMIT ${BATCH_LIMIT}::integer)`,
    );
    return inBatches(
      this.#db,
      sql`UPDATE cards SET number_text = NULL, holder_text = NULL, removed_at = ${this.#clock()} WHERE id IN (
        SELECT c.id FROM cards c WHERE c.removed_at IS NULL AND c.created_at <= ${limit}
          AND NOT EXISTS (SELECT FROM card_tokens t WHERE t.card_id = c.id)
          AND NOT EXISTS (SELECT FROM payments p WHERE (p.card_id = c.id OR p.payee_card_id = c.id)
            AND (p.state IN ('created', 'pending', 'authorized', 'partially_approved') OR p.updated_at > ${limit}))
        LIMIT ${BATCH_LIMIT}::integer)`,
    );
  }
}

export const cardsStore = (db: Db, clock: SqlClock): CardsStore => new CardsStore(db, clock);
