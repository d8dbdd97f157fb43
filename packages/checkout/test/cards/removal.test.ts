import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { retentionSchema } from '../../src/deployment/config.ts';
import { createSealer, sealedAt } from '../../src/secrets/index.ts';
import { applyRetention, type PaymentState, storesOf } from '../../src/storage/index.ts';
import { cardVault, maskedCard } from '../../src/cards/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { newPayment, newSession } from '../support/rows.ts';

const DAY = 86_400_000;
const database = useDatabase();
const vault = cardVault(createSealer([randomBytes(32)]), randomBytes(32));
const usual = retentionSchema.parse({});
const plain = {
  number: '4111111111111111',
  brand: 'visa',
  expiryMonth: '01',
  expiryYear: '2038',
  holder: 'Ada Example',
};

/** Takes away what is due of cards. @returns of how many */
async function remove({ clock }: ReturnType<typeof testClock>, cards: number): Promise<number> {
  const done = await applyRetention(database.db, clock, { ...usual, cards }, () => undefined, 'cards');
  return done.find(({ tables }) => tables[0] === 'cards')?.rows ?? 0;
}

/** An attempt with a card, in a state. */
async function attempt(
  time: ReturnType<typeof testClock>,
  state: PaymentState,
  { saves = false, tokenHash }: { readonly saves?: boolean; readonly tokenHash?: string } = {},
) {
  const { sessions, payments } = storesOf(database.db, time.clock);
  const session = newSession();
  await sessions.create(session);
  const token = saves ? vault.newToken(plain.holder) : undefined;
  const card = {
    kept: vault.seal(randomUUID(), plain, tokenHash !== undefined),
    ...(token && { save: token }),
    ...(tokenHash !== undefined && { tokenHash }),
  };
  const started = await payments.insert(newPayment(session.id, { card }));
  if (started === undefined) throw new Error('The payment did not start.');
  if (state !== 'created')
    await database.db
      .updateTable('payments')
      .set({ state, version: 2, updatedAt: time.now() })
      .where('id', '=', started.payment.id)
      .execute();
  return { cardId: card.kept.id, tokenHash: token?.tokenHash ?? '' };
}

describe('what is kept of a card', () => {
  test('is its mask, so many days after the payment ended, and not before', async () => {
    const time = testClock();
    const { cards } = storesOf(database.db, time.clock);
    const ended = [await attempt(time, 'settled'), await attempt(time, 'declined'), await attempt(time, 'expired')];
    const open = [await attempt(time, 'created'), await attempt(time, 'pending'), await attempt(time, 'authorized')];
    time.advance(30 * DAY - 1);
    expect(await remove(time, 30)).toBe(0);
    time.advance(1);
    expect(await remove(time, 30)).toBe(3);
    expect(await remove(time, 30)).toBe(0);
    for (const { cardId } of ended) {
      const card = await cards.find(cardId);
      if (card === undefined) throw new Error('The card is gone.');
      expect([vault.openNumber(card), vault.openHolder(card)]).toEqual([undefined, undefined]);
      expect(maskedCard(card)).toEqual({ card: '411111******1111', card_expiration_date: '01/2038' });
    }
    for (const { cardId } of open) {
      const card = await cards.find(cardId);
      expect(card && vault.openNumber(card)).toBe(plain.number);
    }
  });

  test('with a token stays whole, as long as any payment has reported the token', async () => {
    const time = testClock();
    const { cards } = storesOf(database.db, time.clock);
    const told = await attempt(time, 'settled', { saves: true });
    const unreported = await attempt(time, 'declined', { saves: true });
    const laterTold = await attempt(time, 'declined', { saves: true });
    await attempt(time, 'settled', { tokenHash: laterTold.tokenHash });
    time.advance(30 * DAY);
    // The card of the failed purchase, and the one that was taken from a token for one attempt.
    expect(await remove(time, 30)).toBe(2);
    const tokens = await Promise.all([told, unreported, laterTold].map(({ tokenHash }) => cards.token(tokenHash)));
    expect(tokens.map((token) => token !== undefined)).toEqual([true, false, true]);
    const numbers = await Promise.all([told, unreported, laterTold].map(({ cardId }) => cards.find(cardId)));
    expect(numbers.map((card) => card?.numberText != null)).toEqual([true, false, true]);
  });
});

describe('the vault', () => {
  test('makes tokens of 256 random bits', () => {
    const sealer = createSealer([randomBytes(32)]);
    const tokens = Array.from({ length: 2000 }, () => {
      const { tokenHash, tokenText } = cardVault(sealer, randomBytes(32)).newToken('Ada Example');
      return sealer.open(tokenText, sealedAt.cardToken(tokenHash));
    });
    expect(new Set(tokens).size).toBe(2000);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/);
    // Each of the 16 digits about 8000 times, give or take seven standard deviations.
    const counts = new Map<string, number>();
    for (const digit of tokens.join('')) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    expect(counts.size).toBe(16);
    for (const count of counts.values()) expect(Math.abs(count - 8000)).toBeLessThan(7 * 87);
  });

  test('knows a card again, and not without its key', () => {
    expect(vault.fingerprint('4111111111111111')).toBe(vault.fingerprint('4111111111111111'));
    expect(vault.fingerprint('4111111111111111')).not.toBe(vault.fingerprint('4111111111111112'));
    const other = cardVault(createSealer([randomBytes(32)]), randomBytes(32));
    expect(other.fingerprint('4111111111111111')).not.toBe(vault.fingerprint('4111111111111111'));
  });
});
