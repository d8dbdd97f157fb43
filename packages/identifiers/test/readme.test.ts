import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as everything from '../src/index.ts';
import { key, read } from './readme-example.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('README', () => {
  it('shows the example that runs here', () => {
    const example = readFileSync(new URL('./readme-example.ts', import.meta.url), 'utf8').replaceAll('export ', '');
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
    expect(key).toEqual({ ok: true, type: 'phone', key: '5511912345684', checksum: 'none' });
    expect(read).toMatchObject({ ok: true, code: { amount: '10.00' } });
  });

  it('names every export and every entry point', async () => {
    const entries = Object.keys(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).exports);
    for (const name of Object.keys(everything)) expect(readme).toContain(`\`${name}\``);
    for (const entry of entries.filter((entry) => entry !== './package.json')) {
      expect(readme).toContain(`\`${entry.replace('.', '@railyard/identifiers')}\``);
    }
  });
});
