import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { callbacksStore, databaseClock, openDatabase, paymentsStore } from '../src/storage/index.ts';
import { runBin } from './support/run-bin.ts';
import { insertPayment } from './support/rows.ts';

const folder = mkdtempSync(fileURLToPath(new URL('./fixtures/bin-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

const dataDir = join(folder, 'data');
const config = join(folder, 'config.mjs');
writeFileSync(
  config,
  `import { instantConnector } from '@railyard/connector-pix';
   export default {
     publicUrl: 'http://127.0.0.1:1', dataDir: ${JSON.stringify(dataDir)}, connectors: [instantConnector],
     mids: [{ id: 'a', connector: instantConnector.id, settings: { base_url: 'http://127.0.0.1:1', api_key: 'k', webhook_secret: 's' } }],
     merchants: [{ key: 'm', name: 'Shop', password: 'password-of-the-shop', methods: [{ key: 'pix', mid: 'a' }] }],
   };`,
);

const url = 'https://shop.example/callbacks';
const callbacks = (...args: string[]) => runBin(['callbacks', ...args, '--config', config], folder);

describe('railyard-checkout callbacks', () => {
  test('lists, replays and resumes on the database of a service that is stopped, and says who has it otherwise', async () => {
    const { db, close } = await openDatabase({ dataDir });
    const { payment } = await insertPayment(db, databaseClock);
    await paymentsStore(db, databaseClock).applyTransition({
      paymentId: payment.id,
      expectedVersion: 1,
      change: { state: 'pending', unknown: false },
      event: { kind: 'told', data: {} },
      callbacks: [{ id: 'msg_1', url, contentType: 'application/json', body: '{}' }],
    });
    const store = callbacksStore(db, databaseClock);
    const [due] = await store.claimDue(1, 30_000);
    if (due === undefined) throw new Error('Nothing is due.');
    await store.recordAttempt(due, { status: 410, durationMs: 1, next: { state: 'dead' }, address: 'gone' });

    const refused = await callbacks('list');
    expect(refused).toMatchObject({ code: 1, said: '' });
    expect(refused.complained).toContain('belongs to the running service');
    await close();

    const dead = await callbacks('list', '--dead', '--json');
    expect(dead.complained).toBe('');
    expect(JSON.parse(dead.said)).toMatchObject([{ id: 'msg_1', state: 'dead', lastStatus: 410, url, held: null }]);
    const shown = await callbacks('show', 'msg_1');
    expect(shown.complained).toBe('');
    expect(shown.said).toMatch(/^id\t[^]*\nmsg_1\tdead\t1\t410\t[^]*\n\{\}\n\n.*Z {2}try 1: 410, 1 ms\n$/);
    expect(JSON.parse((await callbacks('replay', '--dead', '--json')).said)).toEqual({ replayed: ['msg_1'] });
    expect((await callbacks('list')).said.split('\n')[1]).toMatch(/^msg_1\tdisabled\t1\t410\t/);
    expect((await callbacks('resume', url)).said).toBe('The address was disabled. Callbacks that are due now: 1.\n');
    // Seven processes, each of which opens a database.
  }, 120_000);

  test.each([
    [[]],
    [['list', 'x']],
    [['replay']],
    [['replay', '--dead', 'msg_1']],
    [['resume']],
    [['list', '--limit', '0']],
    [['list', '--x']],
  ])('refuses %j and says how it is used', async (args) => {
    const { code, complained } = await callbacks(...args);
    expect([code, complained.includes('callbacks replay ID')]).toEqual([2, true]);
  });
});
