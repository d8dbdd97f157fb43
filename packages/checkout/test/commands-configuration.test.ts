import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { parseProfile } from '@railyard/core/registry';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../src/storage/index.ts';
import { runBin } from './support/run-bin.ts';

const folder = mkdtempSync(fileURLToPath(new URL('./fixtures/bin-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

const dataDir = join(folder, 'data');
const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
let files = 0;

/** A configuration in a file of its own. */
function config(rest: string): string {
  files += 1;
  const file = join(folder, `config-${files}.mjs`);
  writeFileSync(
    file,
    `import { instantConnector } from '@railyard/connector-pix';
     export default { publicUrl: 'http://127.0.0.1:1', dataDir: ${JSON.stringify(dataDir)}, connectors: [instantConnector], ${rest} };`,
  );
  return file;
}

const catalogue = (name: string, method = 'pix') => `
  mids: [{ id: 'a', connector: instantConnector.id, settings: { base_url: 'http://127.0.0.1:1', api_key: 'canary-key', webhook_secret: 's' } }],
  merchants: [{ key: 'm', testKey: 't', name: '${name}', password: 'canary-of-the-password', test: { password: 'canary-of-the-test-key' }, methods: [{ key: 'x-pix', method: '${method}', mid: 'a' }] }],`;

describe('railyard-checkout', () => {
  test('applies a configuration, tells its profiles and seals it again with another key', async () => {
    const keys = (...list: string[]) => `encryptionKey: ${JSON.stringify(list)},`;
    const applied = await runBin(['apply', config(keys(older) + catalogue('One'))], folder);
    expect(applied).toEqual({ code: 0, said: 'Version 1 is in force.\n', complained: '' });
    expect((await runBin(['apply', config(keys(older) + catalogue('One'))], folder)).said).toContain(
      'nothing has changed',
    );
    expect((await runBin(['apply', config(keys(older) + catalogue('Two'))], folder)).said).toContain('Version 2');

    const wrong = await runBin(['apply', config(keys(older) + catalogue('Three', 'no-such'))], folder);
    expect(wrong).toMatchObject({ code: 1, said: '' });
    expect(wrong.complained).toContain('merchants.0.methods.0: no installed connector serves the method "no-such"');
    expect((await runBin(['apply', config(keys(older))], folder)).complained).toContain('has no mids and merchants');

    // Without merchants of its own a configuration tells what the database has.
    const told = await runBin(['profile', 'm', config(keys(older))], folder);
    expect(parseProfile(JSON.parse(told.said))).toMatchObject({
      ok: true,
      profile: { methods: { 'x-pix': { method: 'pix' } } },
    });
    expect(told.said).not.toContain('canary');
    expect(await runBin(['profile', 'm', config(keys(newer))], folder)).toMatchObject({ code: 1, said: '' });

    const rotated = await runBin(['rotate-keys', config(keys(newer, older))], folder);
    expect(rotated).toMatchObject({ code: 0, complained: '' });
    expect(rotated.said).toMatch(/^Sealed again: 2\. Everything is sealed with the key [0-9a-f]{8}\.\n$/);
    expect((await runBin(['rotate-keys', config(keys(newer, older))], folder)).said).toContain('Sealed again: 0.');
    expect((await runBin(['profile', 't', config(keys(newer))], folder)).code).toBe(0);
    const { db, close } = await openDatabase({ dataDir });
    expect(await db.selectFrom('configurations').select(['version', 'origin']).orderBy('version').execute()).toEqual([
      { version: 1, origin: 'change' },
      { version: 2, origin: 'change' },
    ]);
    await close();
  });

  test('prints the profile of a configuration without a database, and nothing for a key that no merchant has', async () => {
    const file = config(`dataDir: ${JSON.stringify(join(folder, 'never-made'))}, ${catalogue('One')}`);
    expect(JSON.parse((await runBin(['profile', 'm', file], folder)).said)).toHaveProperty('methods.x-pix');
    const none = await runBin(['profile', 'canary-of-the-password', file], folder);
    expect(none).toMatchObject({
      code: 1,
      said: '',
      complained: 'No merchant has this key. Give the key or testKey of a merchant.\n',
    });
  });

  test('says what to do, and ends with 1, where another process goes on writing with the older key', async () => {
    const own = join(folder, 'written-meanwhile');
    const keys = (...list: string[]) => `dataDir: ${JSON.stringify(own)}, encryptionKey: ${JSON.stringify(list)},`;
    expect((await runBin(['apply', config(keys(older) + catalogue('One'))], folder)).code).toBe(0);
    const change = async (statement: string) => {
      const { db, close } = await openDatabase({ dataDir: own });
      await sql.raw(statement).execute(db);
      await close();
    };
    // Stands for the other process: what was sealed with the older key is there again after each change.
    await change(`CREATE FUNCTION written_again() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'`);
    await change(`CREATE TRIGGER again BEFORE UPDATE ON configurations FOR EACH ROW EXECUTE FUNCTION written_again()`);
    const file = config(keys(newer, older));
    const left = await runBin(['rotate-keys', file], folder);
    expect(left).toMatchObject({ code: 1, said: '' });
    expect(left.complained).toMatch(
      /1 texts? (is|are) still sealed with an older key.* Start every process with the key [0-9a-f]{8} in front, then run rotate-keys again/,
    );
    await change('DROP TRIGGER again ON configurations');
    expect(await runBin(['rotate-keys', file], folder)).toMatchObject({ code: 0, complained: '' });
    expect((await runBin(['profile', 't', config(keys(newer))], folder)).code).toBe(0);
  });

  test.each([[['profile']], [['apply', 'a', 'b']], [['rotate-keys', '--all']]])(
    'refuses %j and says how it is used',
    async (args) => {
      const refused = await runBin(args, folder);
      expect(refused).toMatchObject({ code: 2, said: '' });
      expect(refused.complained).toContain('railyard-checkout rotate-keys');
    },
  );
});
