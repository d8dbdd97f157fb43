import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createSealer, encryptionKeys, sealedAt } from '../../src/secrets/index.ts';
import { databaseClock, type MerchantScope, openDatabase, storesOf } from '../../src/storage/index.ts';
import { cardVault } from '../../src/cards/index.ts';
import type { Place } from './data-dir.ts';
import { MERCHANT_KEY, newPayment, newSession } from './rows.ts';

/**
 * Saves a card under a token that somebody else has chosen, before a service is started on the data.
 *
 * @param token 64 characters
 */
export async function saveCard(
  place: Place,
  token: string,
  scope: MerchantScope = { merchantKey: MERCHANT_KEY, test: false },
): Promise<void> {
  const { dataDir, databaseUrl, encryptionKey } = place;
  const keys = encryptionKeys(encryptionKey === undefined ? [] : [encryptionKey], { dataDir });
  const sealer = createSealer(keys);
  const { db, close } = await openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });
  const { sessions, payments } = storesOf(db, databaseClock);
  const session = newSession(scope);
  await sessions.create(session);
  const card = {
    number: '4111111111111111',
    brand: 'visa',
    expiryMonth: '01',
    expiryYear: '2038',
    holder: 'Ada Example',
  };
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const vault = cardVault(sealer, randomBytes(32));
  const started = await payments.insert(
    newPayment(session.id, {
      card: {
        kept: vault.seal(randomUUID(), card, false),
        save: {
          tokenHash,
          tokenText: sealer.seal(token, sealedAt.cardToken(tokenHash)),
          holderFingerprint: vault.holderFingerprint(card.holder),
        },
      },
    }),
  );
  if (started === undefined) throw new Error('The payment did not start.');
  // It was paid, and nobody takes it up again.
  await db.updateTable('flowRuns').set({ state: 'finished', leaseUntil: null, finishedAt: new Date() }).execute();
  await db.updateTable('payments').set({ state: 'settled', version: 2 }).execute();
  await close();
}
