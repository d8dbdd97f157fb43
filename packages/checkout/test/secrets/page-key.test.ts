import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pageKey, pageTokens } from '../../src/sessions/page-token.ts';
import { createSealer, isSealed, UnknownKeyError } from '../../src/secrets/index.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const sealer = createSealer([randomBytes(32)]);
const at = new Date(0);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-page-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the key of page addresses', () => {
  test('is one for all processes of a database, whichever is first', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => pageKey(database.db, sealer, at)));
    expect(keys[0]).toHaveLength(32);
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  });

  test('is kept sealed', async () => {
    await pageKey(database.db, sealer, at);
    const [row, ...others] = await database.db.selectFrom('serviceSecrets').selectAll().execute();
    expect(others).toEqual([]);
    expect(row?.name).toBe('page-token-key');
    expect(isSealed(row?.sealed ?? '')).toBe(true);
  });

  test('is not to be had with another encryption key', async () => {
    await pageKey(database.db, sealer, at);
    await expect(pageKey(database.db, createSealer([randomBytes(32)]), at)).rejects.toThrow(UnknownKeyError);
  });

  test('is taken over from the file of an older data directory, once', async () => {
    const old = randomBytes(32);
    const file = join(folder, 'page.key');
    writeFileSync(file, old.toString('base64'));
    expect(Buffer.from(await pageKey(database.db, sealer, at, folder))).toEqual(old);
    rmSync(file);
    expect(Buffer.from(await pageKey(database.db, sealer, at, folder))).toEqual(old);
  });

  test('is not taken from a damaged file', async () => {
    writeFileSync(join(folder, 'page.key'), '');
    await expect(pageKey(database.db, sealer, at, folder)).rejects.toThrow(/page\.key is damaged/);
  });

  test('gives each session an address that another key does not give', () => {
    const [one, two] = [pageTokens(randomBytes(32)), pageTokens(randomBytes(32))];
    expect(one.of('a')).toBe(one.of('a'));
    expect(new Set([one.of('a'), one.of('b'), two.of('a')]).size).toBe(3);
    expect(one.hash(one.of('a'))).toMatch(/^[0-9a-f]{64}$/);
  });
});
