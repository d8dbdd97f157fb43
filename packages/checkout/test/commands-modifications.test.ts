import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseClock, openDatabase, storesOf } from '../src/storage/index.ts';
import { pixConfig } from './support/pix-config.ts';
import { pixProvider } from './support/pix-provider.ts';
import { receiver } from './support/receiver.ts';
import { runBin } from './support/run-bin.ts';
import { createPage, pressPay, sessionBody, startOn } from './support/service.ts';

const folder = mkdtempSync(fileURLToPath(new URL('./fixtures/bin-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

const dataDir = join(folder, 'data');
const config = join(folder, 'config.mjs');
// Without merchants: those that the service stored are in force.
writeFileSync(
  config,
  `import { instantConnector } from '@railyard/connector-pix';
   export default { publicUrl: 'http://127.0.0.1:1', dataDir: ${JSON.stringify(dataDir)}, callbackNetwork: 'any', connectors: [instantConnector] };`,
);

const payments = (...args: string[]) => runBin(['payments', ...args, '--config', config], folder);
const modifications = (...args: string[]) => runBin(['modifications', ...args, '--config', config], folder);

/** A settled payment with a refund of 4.00 that ended without anybody knowing how, and a payment of which nobody knows. @returns their ids */
async function unclearRefund() {
  const [provider, shop] = [await pixProvider(), await receiver()];
  const service = await startOn((port) => ({ ...pixConfig(provider, shop.url, port), dataDir }));
  await pressPay(await createPage(service.url, sessionBody()));
  const charge = provider.ledger[0];
  if (charge === undefined) throw new Error('The provider was not called.');
  charge.status = 'PAID';
  await provider.notify(`${service.url}/notify/pix-main`, charge);
  const { fields } = await shop.until((each) => each.fields.status === 'success');
  provider.beforeReply = (entry) => {
    entry.status = 'SOMETHING_NEW';
    return true;
  };
  await pressPay(await createPage(service.url, sessionBody()));
  const { fields: unclear } = await shop.until((each) => each.fields.status === 'undefined');
  await service.stop();
  await Promise.all([provider.close(), shop.close()]);

  const { db, close } = await openDatabase({ dataDir });
  const { payments, runs } = storesOf(db, databaseClock);
  await payments.schedulePoll(unclear.id ?? '', null);
  const payment = await payments.find(fields.id ?? '');
  if (payment === undefined) throw new Error('There is no payment.');
  const id = randomUUID();
  const lease = { runId: id, owner: 'gone', epoch: 1 };
  await payments.applyTransition({
    paymentId: payment.id,
    expectedVersion: payment.version,
    change: { state: 'settled', unknown: false, reservedMinor: 400n },
    event: { kind: 'modification', data: {} },
    newModification: {
      id,
      kind: 'refund',
      amount: { text: '4.00', minor: 400n, currency: 'BRL' },
      run: { purpose: 'refund', input: {}, owner: lease.owner, leaseMs: 60_000 },
    },
  });
  await runs.finish(lease, { status: 'unknown' });
  await close();
  return { payment: payment.id, modification: id, unclear: unclear.id ?? '' };
}

describe('railyard-checkout modifications', () => {
  test('resolves one by the merchants that the database has, once, and a payment likewise', async () => {
    const { payment, modification, unclear } = await unclearRefund();
    const said = await modifications('resolve', modification, '--succeeded', '--reference', 're-1', '--json');
    expect([said.code, said.said === '' ? said.complained : JSON.parse(said.said)]).toEqual([
      0,
      { id: modification, kind: 'refund', state: 'succeeded', payment: { id: payment, state: 'settled' } },
    ]);
    const again = await modifications('resolve', modification, '--failed');
    expect(again).toMatchObject({ code: 1, said: '' });
    expect(again.complained).toContain('has ended: it succeeded');

    const listed = await payments('list');
    expect(listed).toMatchObject({ code: 0, said: expect.stringContaining(`${unclear}\tunknown\t`) });
    const settled = await payments('resolve', unclear, '--settled', '--json');
    expect([settled.code, JSON.parse(settled.said)]).toEqual([0, { id: unclear, state: 'settled' }]);

    const { db, close } = await openDatabase({ dataDir });
    expect((await storesOf(db, databaseClock).payments.find(payment))?.refundedMinor).toBe(400n);
    await close();
    // Two processes, each of which opens a database.
  }, 120_000);

  test.each([
    [[]],
    [['list']],
    [['resolve']],
    [['resolve', 'a']],
    [['resolve', 'a', 'b', '--failed']],
    [['resolve', 'a', '--failed', '--succeeded']],
    [['resolve', 'a', '--succeeded', '--reference', '']],
  ])('refuses %j and says how it is used', async (args) => {
    const { code, complained } = await modifications(...args);
    expect([code, complained.includes('modifications resolve ID')]).toEqual([2, true]);
  });
});
