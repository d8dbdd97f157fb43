import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DriftCount, driftLine, MORE } from '@railyard/runtime';
import { describe, expect, test } from 'vitest';
import { driftStore, openDatabase } from '../../checkout/src/storage/index.ts';
import { jsonInPipe, runAtTerminal, runInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const base: DriftCount = {
  connector: 'pix-instant',
  version: '1.2.0',
  endpoint: 'create-charge',
  kind: 'reply',
  reply: 'created',
  status: 0,
  place: '',
  form: '',
  seen: 5,
  firstSeen: 1000,
  lastSeen: 2000,
};
const field = (place: string, form: string): DriftCount => ({ ...base, kind: 'unnamed-field', place, form, seen: 2 });
const input = (counts: readonly DriftCount[]) => ({
  readInput: async () => counts.map((count) => JSON.stringify(driftLine(count))).join('\n'),
});

describe('railyard drift', () => {
  test('adds up the lines of a log and proposes samples with holes and the step', async () => {
    const fields = [field('fees', 'array'), field('items[].tax.rate', 'number'), field('fees', 'array')];
    const { code, answer } = await jsonInPipe(['drift', '-'], input([base, ...fields]));
    expect(code).toBe(1);
    expect(answer.proposals).toMatchObject([
      {
        connector: 'pix-instant',
        version: '1.2.0',
        step: 'patch',
        next: '1.2.1',
        found: [
          { place: 'fees', seen: 4, of: 5 },
          { place: 'items[].tax.rate', seen: 2, of: 5 },
        ],
        samples: [{ reply: 'created', body: { fees: '{array}', items: [{ tax: { rate: '{number}' } }] } }],
      },
    ]);
  });

  test.each([
    ['unnamed-field', 'patch'],
    ['status-word', 'patch'],
    ['missing-required', 'minor'],
    ['other-form', 'minor'],
    ['error-shape', 'minor'],
    ['missing-optional', 'none'],
  ] as const)('proposes for %s: %s', async (kind, step) => {
    const { code, answer } = await jsonInPipe(
      ['drift', '-'],
      input([{ ...base, kind, place: 'code', form: 'string' }]),
    );
    expect([answer.proposals[0].step, code]).toEqual([step, step === 'none' ? 0 : 1]);
  });

  test('makes a sample of an error shape, and one of a name that objects have by themselves', async () => {
    const shape = {
      ...base,
      kind: 'error-shape' as const,
      reply: '',
      status: 429,
      place: '__proto__,error',
      form: 'number,object',
    };
    const { answer } = await jsonInPipe(['drift', '-'], input([shape]));
    expect(JSON.stringify(answer.proposals[0].samples)).toBe(
      '[{"endpoint":"create-charge","reply":"","status":429,"body":{"__proto__":"{number}","error":"{object}"}}]',
    );
  });

  test('shows the same at a terminal, and reads a file among lines about other things', async () => {
    const folder = mkdtempSync(fixture('drift-'));
    const file = join(folder, 'checkout.log');
    writeFileSync(file, `started\n{"event":"call"}\n${JSON.stringify(driftLine(field('fees', 'array')))}\n`);
    const { code, said } = await runAtTerminal(['drift', file]);
    rmSync(folder, { recursive: true });
    expect(code).toBe(1);
    expect(said).toContain('1.2.1');
    expect(said).toContain('"fees": "{array}"');
  });

  test('reads what the database of a configuration has counted', async () => {
    const folder = mkdtempSync(fixture('drift-'));
    const dataDir = join(folder, 'data');
    const config = join(folder, 'stored.config.mjs');
    writeFileSync(
      config,
      `import { instantConnector } from '@railyard/connector-pix';
       export default { publicUrl: 'http://127.0.0.1:1', dataDir: ${JSON.stringify(dataDir)}, connectors: [instantConnector] };`,
    );
    const { db, close } = await openDatabase({ dataDir });
    await driftStore(db).add([base, field('fees', 'array')], MORE);
    await close();
    const { code, answer } = await jsonInPipe(['drift', '--config', config]);
    rmSync(folder, { recursive: true });
    expect(code).toBe(1);
    expect(answer.proposals).toMatchObject([{ next: '1.2.1', found: [{ place: 'fees', seen: 2, of: 5 }] }]);
  });

  test('takes no line with a value in place of a name', async () => {
    const line = { ...driftLine(field('fees', 'array')), place: '4111111111111111' };
    const { code, said } = await runInPipe(['drift', '-'], { readInput: async () => JSON.stringify(line) });
    expect([code, said]).toEqual([0, expect.stringContaining('Nothing was counted')]);
  });

  test('says what to do without a file, a configuration, or with both', async () => {
    const missing = await runInPipe(['drift', 'none.log']);
    expect([missing.code, missing.complained]).toEqual([2, expect.stringContaining('There is no file none.log')]);
    const config = await runInPipe(['drift', '--config', 'none.mjs']);
    expect([config.code, config.complained]).toEqual([2, expect.stringContaining('none.mjs')]);
    const both = await runInPipe(['drift', '-', '--config', 'none.mjs']);
    expect([both.code, both.complained]).toEqual([2, expect.stringContaining('not both')]);
  });
});
