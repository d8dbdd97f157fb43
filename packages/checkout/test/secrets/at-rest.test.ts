import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createSealer, encryptionKeys, rotateKeys, SEALED_COLUMNS, UnknownKeyError } from '../../src/secrets/index.ts';
import { openDatabase } from '../../src/storage/index.ts';
import { newDataDir, type Place } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, merchant, pressPay, sessionBody, startOn } from '../support/service.ts';

/** Every value of every row, by `table.column`. */
async function everything({ dataDir, databaseUrl }: Place): Promise<Map<string, string>> {
  const { db, close } = await openDatabase(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });
  const tables = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`.execute(db);
  const found = new Map<string, string>();
  for (const { name } of tables.rows) {
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(db);
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
        found.set(`${name}.${column}`, `${found.get(`${name}.${column}`) ?? ''}\n${text}`);
      }
  }
  await close();
  return found;
}

const SEALED = /v1\.([0-9a-f]{8})\./g;

/** The ids of the keys that anything in these rows is sealed with. */
const keysIn = (rows: ReadonlyMap<string, string>) =>
  new Set([...rows.values()].flatMap((text) => [...text.matchAll(SEALED)].map(([, id]) => id)));

describe('the database of a payment', () => {
  test('holds what its payer and the merchant keep to themselves nowhere in plain', async () => {
    const [provider, shop, made] = [await pixProvider(), await receiver(), await newDataDir()];
    const service = await startOn((port) => pixConfig(provider, shop.url, port, made.place));
    const body = sessionBody({
      customer: { name: 'Canaria Amarela', email: 'canary-mail@example.com' },
      billing_address: { country: 'BR', city: 'Canaryville', address: 'Canary street 1' },
      custom_data: { canary: 'canary-custom' },
    });
    expect((await pressPay(await createPage(service.url, body))).status).toBe(303);
    const charge = provider.ledger[0];
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'PAID';
    expect(await provider.notify(`${service.url}/notify/pix-main`, charge)).toBe(204);
    const told = await shop.until(({ fields }) => fields.status === 'success');
    expect(told.fields).toMatchObject({ customer_name: 'Canaria Amarela', 'custom_data[canary]': 'canary-custom' });
    await service.stop();

    const rows = await everything(made.place);
    expect(rows.get('sessions.orderNumber')).toContain(body.order.number);
    for (const sealed of ['sessions.requestText', 'journal.replyText', 'provider_notifications.body', 'callbacks.body'])
      expect(rows.get(sealed), sealed).toMatch(/^\n"?v1\./);
    const secrets = [merchant.password, provider.apiKey, provider.webhookSecret];
    for (const canary of ['Canaria', 'canary-mail', 'Canaryville', 'Canary', 'canary-custom', ...secrets])
      for (const [column, text] of rows) expect(text.includes(canary), `${canary} in ${column}`).toBe(false);

    await expectRotated(made.place, rows);
    await Promise.all([provider.close(), shop.close(), made.remove()]);
  });
});

/** Sealed again with another key, all of it is, and opens. */
async function expectRotated(place: Place, before: ReadonlyMap<string, string>): Promise<void> {
  const sealed = [...before].filter(([, text]) => text.match(SEALED)).map(([column]) => column);
  expect(new Set(sealed)).toEqual(
    new Set(
      SEALED_COLUMNS.map(({ table, column }) => `${table}.${camel(column)}`).filter((name) =>
        before.get(name)?.match(SEALED),
      ),
    ),
  );
  const [old] = encryptionKeys(place.encryptionKey === undefined ? [] : [place.encryptionKey], place);
  const [newest, another] = [randomBytes(32), randomBytes(32)];
  const { db, close } = await openDatabase(place.databaseUrl === undefined ? place : { url: place.databaseUrl });
  await expect(rotateKeys(db, createSealer([another]))).rejects.toThrow(UnknownKeyError);
  const count = await rotateKeys(db, createSealer([newest, old]));
  expect(count).toBeGreaterThan(8);
  expect(await rotateKeys(db, createSealer([newest, old]))).toBe(0);
  expect(await rotateKeys(db, createSealer([another, newest]))).toBe(count);
  await close();
  expect(keysIn(await everything(place))).toEqual(new Set([createSealer([another]).keyId]));
}

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
