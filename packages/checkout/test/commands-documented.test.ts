import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { runCommand } from '../src/commands/index.ts';

const guide = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
const documented = [...guide.matchAll(/^ *npx @railyard\/checkout (.+)$/gm)].map(([, line = '']) => line);

test('the guide for operators shows commands', () => {
  expect(documented.length).toBeGreaterThan(10);
});

test.each(documented)('the documented command "%s" is understood', async (line) => {
  const complaints: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => complaints.push(String(text)) > 0);
  const code = await runCommand([...line.split(' '), '--config', 'no-such-configuration.mjs']);
  write.mockRestore();
  expect([code, complaints.join('')]).toEqual([1, expect.stringMatching(/^There is no .*no-such-configuration\.mjs/)]);
});
