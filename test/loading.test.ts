import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { published, root } from './support/workspace.ts';

/**
 * The schemas that a process makes when it loads a connector, core's among them, with room for a field or two. Each takes about 20 µs, so
 * those of replies are made when the first one is read (docs/decisions/0136).
 */
const MOST_SCHEMAS: Readonly<Record<string, number>> = {
  '@railyard/connector-bank-transfer': 412,
  '@railyard/connector-card': 346,
  '@railyard/connector-crypto': 182,
  '@railyard/connector-mobile-money': 231,
  '@railyard/connector-open-banking': 135,
  '@railyard/connector-pay-later': 106,
  '@railyard/connector-pix': 168,
  '@railyard/connector-voucher': 98,
  '@railyard/connector-wallet': 233,
};

/** Parts of core that a process with connectors alone never asks. */
const NOT_LOADED = [
  'session/session-schema.ts',
  'signature/digest.ts',
  'connector/simulation.ts',
  'method/registry.ts',
];

/** Loads a connector's first entry and prints the modules of core that came with it, and how many schemas were made. */
const LOADING = `
  import { registerHooks } from 'node:module';
  import * as z from 'zod';
  const modules = [];
  registerHooks({ load: (url, context, next) => (modules.push(url), next(url, context)) });
  let schemas = 0;
  z.config({ postProcessor: ({ _zod }) => { if (_zod.traits.has('$ZodType')) schemas += 1; } });
  await import(process.argv[1]);
  process.stdout.write(JSON.stringify({ modules, schemas }));`;

const loaded = z.object({ modules: z.array(z.string()), schemas: z.number() });

const connectors = published().filter(({ manifest }) => manifest.name.includes('/connector-'));

test.each(connectors.map(({ folder, manifest }) => [manifest.name, folder] as const))(
  '%s loads no more of core than its methods and adapters need, makes no more schemas than are known, and reads no pattern of Unicode classes',
  (name, folder) => {
    const cwd = join(root, folder);
    const args = ['--conditions=@railyard/source', '--input-type=module', '--eval', LOADING, join(cwd, 'src/index.ts')];
    const { modules, schemas } = loaded.parse(
      JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })),
    );
    expect(modules.length).toBeGreaterThan(20);
    expect(modules.filter((url) => NOT_LOADED.some((path) => url.endsWith(`core/src/${path}`)))).toEqual([]);
    expect(modules.filter((url) => url.includes('@noble') && !folder.endsWith('crypto'))).toEqual([]);
    expect(schemas).toBeGreaterThan(0);
    expect(schemas).toBeLessThanOrEqual(MOST_SCHEMAS[name] ?? 0);
    expect(modules.filter((url) => url.startsWith('file:')).flatMap(unicodePatternsOf)).toEqual([]);
  },
);

/** The patterns of a module with classes of Unicode: each takes a millisecond to read when the module is loaded (see `latePattern`). */
function unicodePatternsOf(url: string): readonly string[] {
  const path = fileURLToPath(url);
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && /\\p\{/i.test(node.text)) found.push(`${path}: ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
