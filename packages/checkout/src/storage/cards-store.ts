import type { Selectable } from './tables.ts';
import type { Db } from './database/sql.ts';
import type { CardsTable, CardTokensTable } from './tables.ts';
import type { MerchantScope } from './sessions.ts';

/** A card as it is kept: number and name sealed, or taken away. */
export type StoredCard = Selectable<CardsTable>;
export type StoredToken = Selectable<CardTokensTable>;

/** The card of an attempt, sealed for its own row. Merchant and mode come from the attempt's session. */
export type NewCard = Omit<
  CardsTable,
  'merchantKey' | 'test' | 'createdAt' | 'removedAt' | 'numberText' | 'holderText'
> & {
  readonly numberText: string;
  readonly holderText: string;
};

export type NewCardToken = Pick<CardTokensTable, 'tokenHash' | 'tokenText'> & {
  readonly holderFingerprint: string;
};

/** Cards and their tokens. They come with an attempt (see `insertPayment`) and are looked up for one merchant and mode. */
export class CardsStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async find(id: string): Promise<StoredCard | undefined> {
    return this.#db.selectFrom('cards').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async findAll(ids: readonly string[]): Promise<StoredCard[]> {
    return ids.length === 0 ? [] : this.#db.selectFrom('cards').selectAll().where('id', 'in', ids).execute();
  }

  /** The cards behind these tokens, as far as the merchant has them in this mode. */
  async ofTokens(
    { merchantKey, test }: MerchantScope,
    hashes: readonly string[],
  ): Promise<readonly (StoredCard & { readonly tokenHash: string })[]> {
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

  async token(hash: string): Promise<StoredToken | undefined> {
    return this.#db.selectFrom('cardTokens').selectAll().where('tokenHash', '=', hash).executeTakeFirst();
  }

  /**
   * The merchant's token of a card with this number, network, expiry date and holder. A payout by a token goes to the holder's name, so another
   * holder's token is no answer; nor is one whose network is another, or was chosen by another.
   */
  async tokenOf(
    { merchantKey, test }: MerchantScope,
    card: Pick<StoredCard, 'fingerprint' | 'brand' | 'brandChosenBy' | 'expiryMonth' | 'expiryYear'>,
    holderFingerprint: string,
  ): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('cards as c')
      .innerJoin('cardTokens as t', 't.cardId', 'c.id')
      .select('t.tokenHash')
      .where('c.fingerprint', '=', card.fingerprint)
      .where('c.brand', '=', card.brand)
      .where('c.brandChosenBy', 'is not distinct from', card.brandChosenBy)
      .where('c.expiryMonth', '=', card.expiryMonth)
      .where('c.expiryYear', '=', card.expiryYear)
      .where('t.holderFingerprint', '=', holderFingerprint)
      .where('t.merchantKey', '=', merchantKey)
      .where('t.test', '=', test)
      .orderBy('t.createdAt')
      .limit(1)
      .executeTakeFirst();
    return row?.tokenHash;
  }
}

export const cardsStore = (db: Db): CardsStore => new CardsStore(db);
