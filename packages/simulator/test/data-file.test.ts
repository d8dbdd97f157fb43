import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { books, rig } from './support/rig.ts';

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'railyard-simulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data', 'provider.jsonl');
}

it('a data file keeps payments, ledger and keys over a restart', async () => {
  const dataFile = file();
  const before = await rig({ dataFile });
  await before.drive(before.run('ref-1', 'credit'));
  await before.simulator.close();

  const after = await rig({ dataFile });
  expect(books(after.simulator)).toEqual(['payout 10.00 BRL']);
  await after.drive(after.run('ref-1', 'credit'));
  expect(books(after.simulator)).toEqual(['payout 10.00 BRL']);
  after.time.advance(3000);
  expect(books(after.simulator)).toEqual(['payout 10.00 BRL', 'settled 10.00 BRL']);
});

it('without a data file everything is forgotten, and no id is used again', async () => {
  const before = await rig();
  await before.purchase('ref-1');
  const id = before.simulator.payments()[0]?.id;
  const after = await rig();
  expect(after.simulator.payments()).toEqual([]);
  await after.purchase('ref-1');
  expect(after.simulator.payments()[0]?.id).not.toBe(id);
});

it('a last line that a crash cut off is taken away', async () => {
  const dataFile = file();
  const before = await rig({ dataFile });
  await before.purchase('ref-1');
  await before.simulator.close();
  const whole = readFileSync(dataFile, 'utf8');
  appendFileSync(dataFile, '{"ledger":{"at":"2026');
  const after = await rig({ dataFile });
  expect(books(after.simulator)).toEqual(['charge 10.00 BRL']);
  expect(readFileSync(dataFile, 'utf8')).toBe(whole);
});

it('a line that is not the simulator’s is named', async () => {
  const dataFile = file();
  const before = await rig({ dataFile });
  await before.simulator.close();
  writeFileSync(dataFile, '{"a":1}\n');
  await expect(rig({ dataFile })).rejects.toThrow(`${dataFile}:1 is not a record of the simulator.`);
});
