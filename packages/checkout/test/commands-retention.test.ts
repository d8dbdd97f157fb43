import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase, storesOf } from '../src/storage/index.ts';
import { clockFrom } from '../src/storage/database/sql.ts';
import { createSealer } from '../src/secrets/index.ts';
import { storeThread } from './support/retention-threads.ts';
import { serviceContext } from './support/service-context.ts';
import { pixConfig } from './support/pix-config.ts';
import { allColumns } from './support/all-columns.ts';
import { runBin } from './support/run-bin.ts';

const folder = mkdtempSync(fileURLToPath(new URL('./fixtures/bin-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

const dataDir = join(folder, 'data');
const config = join(folder, 'config.mjs');
const key = randomBytes(32);
const OLD = Date.parse('2020-01-01T12:00:00Z');
writeFileSync(
  config,
  `import { instantConnector } from '@railyard/connector-pix';
   export default {
     publicUrl: 'http://127.0.0.1:1', dataDir: ${JSON.stringify(dataDir)}, connectors: [instantConnector],
     encryptionKey: '${key.toString('base64')}',
     mids: [{ id: 'a', connector: instantConnector.id, settings: { base_url: 'http://127.0.0.1:1', api_key: 'k', webhook_secret: 's' } }],
     merchants: [{ key: 'm', name: 'Shop', password: 'p', methods: [{ key: 'pix', mid: 'a' }] }],
   };`,
);

const retention = (...args: string[]) => runBin(['retention', ...args, '--config', config], folder);

/** Every value of the database. */
async function content(): Promise<unknown> {
  const { db, close } = await openDatabase({ dataDir });
  const columns = await allColumns(db);
  await close();
  return columns;
}

describe('railyard-checkout retention', () => {
  test('counts what is due and the oldest of it without a change, and then does it', async () => {
    const { db, close } = await openDatabase({ dataDir });
    const sqlClock = clockFrom(() => new Date(OLD));
    const made = serviceContext(
      db,
      pixConfig({ url: 'http://127.0.0.1:1', apiKey: 'a', webhookSecret: 'b' }, 'http://127.0.0.1:1', 0),
      () => OLD,
    );
    await storeThread({ ...made.context, sealer: createSealer([key]), sqlClock, stores: storesOf(db, sqlClock) });
    await made.close();
    await close();

    const before = await content();
    const counted = await retention('--dry-run', '--json');
    expect(counted.complained).toBe('');
    const due: readonly { tables: string[]; rows: number; oldest: string | null }[] = JSON.parse(counted.said);
    expect(due.map(({ tables, rows, oldest }) => [tables[0], rows, oldest])).toEqual([
      ['card_tokens', 0, null],
      ['cards', 1, new Date(OLD).toISOString()],
      ['callback_attempts', 1, new Date(OLD).toISOString()],
      ['callbacks', 1, new Date(OLD).toISOString()],
      ['provider_notifications', 1, new Date(OLD).toISOString()],
      ['provider_events', 1, new Date(OLD).toISOString()],
      ['flow_runs', 1, new Date(OLD).toISOString()],
      ['sessions', 0, null],
      ['sessions', 1, new Date(OLD).toISOString()],
      ['reply_drift', 0, null],
    ]);
    expect(await content()).toEqual(before);

    const done = await retention();
    expect(done.said).toContain('payments\t400\tsessions, payments, modifications, cards\t1\n');
    expect((await retention('--dry-run')).said).toContain(
      'payments\t400\tsessions, payments, modifications, cards\t0\t-\t',
    );
    const again = await openDatabase({ dataDir });
    const { rows } = await sql<{ left: string }>`SELECT count(*) AS left FROM flow_runs`.execute(again.db);
    await again.close();
    expect(Number(rows[0]?.left)).toBe(0);
    // Five processes, each of which opens a database.
  }, 120_000);

  test('refuses a word that it does not know and says how it is used', async () => {
    const refused = await retention('--dryrun');
    expect(refused).toMatchObject({ code: 2, said: '' });
    expect(refused.complained).toContain('retention [--dry-run]');
  });
});
