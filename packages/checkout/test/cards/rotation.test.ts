import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  countOfOlder,
  createSealer,
  type EncryptionKeys,
  keyIdOf,
  rotateKeys,
  sealedAt,
  type Sealer,
} from '../../src/secrets/index.ts';
import { clockFrom, type Db, openDatabase, storesOf } from '../../src/storage/index.ts';
import { cardVault, type CardVault } from '../../src/cards/index.ts';
import { newDataDir, type Place } from '../support/data-dir.ts';
import { newPayment, newSession } from '../support/rows.ts';
import { useDatabase } from '../support/database.ts';

const [old, newest] = [randomBytes(32), randomBytes(32)];
const clock = clockFrom(() => new Date('2026-01-01T00:00:00Z'));
const numberOf = (index: number) => `4111${String(index).padStart(12, '0')}`;
const vaultOf = (sealer: Sealer) => cardVault(sealer, randomBytes(32));

/** So many attempts with cards of their own, each saved. */
async function fill(db: Db, vault: CardVault, count: number): Promise<void> {
  const { sessions, payments } = storesOf(db, clock);
  for (let index = 0; index < count; index += 1) {
    const session = newSession();
    await sessions.create(session);
    const card = {
      number: numberOf(index),
      brand: 'visa',
      expiryMonth: '01',
      expiryYear: '2038',
      holder: 'Ada Example',
    };
    const paid = { kept: vault.seal(randomUUID(), card, false), save: vault.newToken('Ada Example') };
    expect(await payments.insert(newPayment(session.id, { card: paid }))).toBeDefined();
  }
}

async function cardsIn(db: Db) {
  return db.selectFrom('cards').innerJoin('cardTokens', 'cardTokens.cardId', 'cards.id').selectAll().execute();
}

/** How many texts of cards are sealed with each key. */
async function keysOfCards(db: Db): Promise<Readonly<Record<string, number>>> {
  const ids = (await cardsIn(db)).flatMap(({ numberText, holderText, tokenText }) => [
    numberText,
    holderText,
    tokenText,
  ]);
  const counts: Record<string, number> = {};
  for (const id of ids.map((text) => keyIdOf(text ?? '') ?? 'none')) counts[id] = (counts[id] ?? 0) + 1;
  return counts;
}

/** The session's request and the run's input are sealed as well. */
const OTHERS = 2;

const database = useDatabase();

describe('the keys of cards', () => {
  test('are changed for numbers, names and tokens, and every number opens as before', async () => {
    await fill(database.db, vaultOf(createSealer([old])), 3);
    expect(await rotateKeys(database.db, createSealer([newest, old]))).toBe(3 * (3 + OTHERS));
    const sealer = createSealer([newest]);
    const vault = vaultOf(sealer);
    expect(await keysOfCards(database.db)).toEqual({ [sealer.keyId]: 9 });
    const opened = (
      await storesOf(database.db, clock).cards.findAll((await cardsIn(database.db)).map(({ cardId }) => cardId))
    ).map((card) => vault.openNumber(card));
    expect(opened.sort()).toEqual([0, 1, 2].map(numberOf));
  });

  test('leave what another process wrote while they were changed, and what it sealed with the older key is counted', async () => {
    await fill(database.db, vaultOf(createSealer([old])), 1);
    const [{ id } = { id: '' }] = await database.db.selectFrom('cards').select('id').execute();
    const older = createSealer([old]);
    const theirs = older.seal('Another Holder', sealedAt.cardHolder(id));
    const sealer = createSealer([newest, old]);
    let written: Promise<unknown> | undefined;
    // Between the reading of a batch and its writing.
    const meanwhile: Sealer = {
      ...sealer,
      seal(secret, place) {
        if (place.column === 'holder_text')
          written ??= database.db.updateTable('cards').set({ holderText: theirs }).where('id', '=', id).execute();
        return sealer.seal(secret, place);
      },
    };
    await rotateKeys(database.db, meanwhile);
    await written;
    const { holderText } = await database.db.selectFrom('cards').select('holderText').executeTakeFirstOrThrow();
    expect(holderText).toBe(theirs);
    expect(await countOfOlder(database.db, sealer)).toBe(1);
    await rotateKeys(database.db, sealer);
    expect(await countOfOlder(database.db, sealer)).toBe(0);
  });

  test('a number that is moved into another row does not open', async () => {
    const vault = vaultOf(createSealer([old]));
    await fill(database.db, vault, 2);
    const [one, other] = await database.db.selectFrom('cards').selectAll().execute();
    if (one === undefined || other === undefined) throw new Error('There are no cards.');
    expect(() => vault.openNumber({ ...one, numberText: other.numberText })).toThrow('belongs to another row');
    expect(() => vault.openNumber({ ...one, numberText: one.holderText })).toThrow('belongs to another row');
  });

  test('go on being changed after a process was killed half way', async () => {
    const directory = await newDataDir();
    const COUNT = 600;
    await within(directory.place, (db) => fill(db, vaultOf(createSealer([old])), COUNT));
    // In the second batch of the first column of cards: one batch is written.
    expect(await rotateAndDie(directory.place, [newest, old], OTHERS * COUNT + 550)).toBe('SIGKILL');
    await within(directory.place, async (db) => {
      const sealer = createSealer([newest, old]);
      const before = await keysOfCards(db);
      expect(before).toEqual({ [sealer.keyId]: 500, [createSealer([old]).keyId]: 3 * COUNT - 500 });
      expect(await rotateKeys(db, sealer)).toBe(3 * COUNT - 500);
      expect(await keysOfCards(db)).toEqual({ [sealer.keyId]: 3 * COUNT });
      expect(await rotateKeys(db, sealer)).toBe(0);
    });
    await directory.remove();
  });
});

async function within<T>({ dataDir, databaseUrl }: Place, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });
  try {
    return await work(db);
  } finally {
    await close();
  }
}

const PROGRAM = fileURLToPath(new URL('../support/rotating-process.ts', import.meta.url));

/** Rotates in a process of its own that kills itself. @returns the signal it ended by */
async function rotateAndDie(place: Place, keys: EncryptionKeys, after: number): Promise<unknown> {
  const given = JSON.stringify({ place, keys: keys.map((key) => Buffer.from(key).toString('base64')), after });
  const child = spawn(process.execPath, ['--conditions=@railyard/source', PROGRAM], {
    env: { ...process.env, ROTATION_TEST: given },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal]: unknown[] = await once(child, 'exit');
  return signal;
}
