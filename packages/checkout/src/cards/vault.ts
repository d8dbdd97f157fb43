import type { Log } from '../log/log.ts';
import type { Directory } from '../merchants/directory.ts';
import type { Db, NewCard, NewCardToken, StoredCard, StoredToken, Stores } from '../storage/index.ts';
import type { OpenSession } from '../sessions/session.ts';
import { expiryProblem } from '../rules/browser/card-rules.js';
import type { EnteredCodes } from './entered-codes.ts';
import type { SecurityCodes } from './security-codes.ts';
import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { sealedAt, serviceSecret, type Sealer } from '../secrets/index.ts';

/** A card as it was entered. */
export interface PlainCard {
  /** Digits only. */
  readonly number: string;
  /** The name of its network. */
  readonly brand: string;
  /** Who chose it. Default: its digits show it, and the provider is told none. */
  readonly brandChosenBy?: 'payer' | 'merchant';
  /** Two digits. Absent, with the year, of a payout that named the number alone. */
  readonly expiryMonth?: string;
  /** Four digits. */
  readonly expiryYear?: string;
  readonly holder: string;
}

/** Seals cards for their rows and opens them again. Numbers leave it only to be sent to a provider or kept for another attempt. */
export interface CardVault {
  /**
   * The row of a card, sealed.
   *
   * @param id the row's, a UUID
   * @param fromToken whether it is a saved card's
   */
  seal(id: string, card: PlainCard, fromToken: boolean): NewCard;
  /** @returns undefined once the number has been taken away */
  openNumber(card: StoredCard): string | undefined;
  /** @returns undefined once the name has been taken away */
  openHolder(card: StoredCard): string | undefined;
  /** The same for the same number, in every process of the database; without the key it leads nowhere. */
  fingerprint(number: string): string;
  /** The same for the same name, however its letters and blanks are typed; no name can be read from it without the key. */
  holderFingerprint(holder: string): string;
  /** A new token of a card of this holder: 256 random bits as 64 hexadecimal digits. */
  newToken(holder: string): NewCardToken;
  /** Under what a token is kept. */
  tokenHash(token: string): string;
}

const KEY_BYTES = 32;
const TOKEN_BYTES = 32;

/** The key of the fingerprints, the same in every process of a database; another one would not recognise any card of before. */
export function fingerprintKey(db: Db, sealer: Sealer, at: Date): Promise<Uint8Array> {
  return serviceSecret(db, sealer, 'card-fingerprint-key', () => randomBytes(KEY_BYTES), at);
}

export function cardVault(sealer: Sealer, key: Uint8Array): CardVault {
  const secret = createSecretKey(key);
  const fingerprint = (number: string) => createHmac('sha256', secret).update(number).digest('hex');
  const holderFingerprint = (holder: string) =>
    fingerprint(`holder:${holder.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()}`);
  const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex');
  return {
    seal: (id, { number, brand, brandChosenBy, expiryMonth, expiryYear, holder }, fromToken) => ({
      id,
      numberText: sealer.seal(number, sealedAt.cardNumber(id)),
      holderText: sealer.seal(holder, sealedAt.cardHolder(id)),
      fingerprint: fingerprint(number),
      firstSix: number.slice(0, 6),
      lastFour: number.slice(-4),
      brand,
      brandChosenBy: brandChosenBy ?? null,
      expiryMonth: expiryMonth ?? null,
      expiryYear: expiryYear ?? null,
      fromToken,
    }),
    openNumber: ({ id, numberText }) =>
      numberText === null ? undefined : sealer.open(numberText, sealedAt.cardNumber(id)),
    openHolder: ({ id, holderText }) =>
      holderText === null ? undefined : sealer.open(holderText, sealedAt.cardHolder(id)),
    fingerprint,
    holderFingerprint,
    newToken(holder) {
      const token = randomBytes(TOKEN_BYTES).toString('hex');
      const hash = tokenHash(token);
      return {
        tokenHash: hash,
        tokenText: sealer.seal(token, sealedAt.cardToken(hash)),
        holderFingerprint: holderFingerprint(holder),
      };
    },
    tokenHash,
  };
}

/** The token of a saved card, for the merchant whose it is. */
export const openCardToken = (sealer: Sealer, { tokenHash, tokenText }: StoredToken): string =>
  sealer.open(tokenText, sealedAt.cardToken(tokenHash));

/** Needed to take cards and wallets, and to read them for a provider. */
export interface CardDeps {
  readonly directory: Directory;
  readonly stores: Stores;
  /** Numbers of cards, sealed. */
  readonly vault: CardVault;
  /** Security codes of cards, for the runs under way in this process. */
  readonly securityCodes: SecurityCodes;
  /** Those of cards that were entered into merchants' forms and not yet paid with, by the entry. */
  readonly enteredCodes: EnteredCodes;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A random UUID. */
  readonly newId: () => string;
}

/** A saved card that a session offers. */
export interface SavedCard {
  /** Its place in the request's `card_token`: the page never shows a token. */
  readonly key: string;
  readonly tokenHash: string;
  /** The network that it is paid with: as it was saved, until an account is known. */
  readonly brand: string;
  readonly kept: StoredCard;
}

/**
 * The cards behind a session's tokens, in their order. An expired one can only be paid out to, because a payout asks for the date
 * anew.
 */
export async function savedCards(context: CardDeps, { stored, request }: OpenSession): Promise<SavedCard[]> {
  const hashes = (request.card_token ?? []).map((token) => context.vault.tokenHash(token));
  const found = new Map((await context.stores.cards.ofTokens(stored, hashes)).map((card) => [card.tokenHash, card]));
  return hashes.flatMap((tokenHash, index): SavedCard[] => {
    const kept = found.get(tokenHash);
    if (kept === undefined) return [];
    const over = expiryProblem(`${kept.expiryMonth}/${kept.expiryYear}`, context.now()) !== undefined;
    return over && request.operation !== 'credit' ? [] : [{ key: String(index), tokenHash, brand: kept.brand, kept }];
  });
}
