import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { published, root } from './support/workspace.ts';

/** A process makes them before its first request, each in about 20 µs. Bank transfers have 406, the others 260 and fewer. */
const MOST_SCHEMAS = 420;

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
  '%s loads no more of core than its methods and adapters need, makes at most 420 schemas, and reads no pattern of Unicode classes',
  (_name, folder) => {
    const cwd = join(root, folder);
    const args = ['--conditions=@railyard/source', '--input-type=module', '--eval', LOADING, join(cwd, 'src/index.ts')];
    const { modules, schemas } = loaded.parse(
      JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })),
    );
    expect(modules.length).toBeGreaterThan(20);
    expect(modules.filter((url) => NOT_LOADED.some((path) => url.endsWith(`core/src/${path}`)))).toEqual([]);
    expect(modules.filter((url) => url.includes('@noble') && !folder.endsWith('crypto'))).toEqual([]);
    expect(schemas).toBeGreaterThan(0);
    expect(schemas).toBeLessThanOrEqual(MOST_SCHEMAS);
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
