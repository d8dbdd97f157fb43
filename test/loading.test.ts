import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { published, root } from './support/workspace.ts';

/** Parts of core that a process with connectors alone never asks. */
const NOT_LOADED = [
  'session/session-schema.ts',
  'signature/digest.ts',
  'connector/simulation.ts',
  'method/registry.ts',
];

/** Loads a connector's first entry and prints the modules of core that came with it. */
const LOADING = `
  import { registerHooks } from 'node:module';
  const modules = [];
  registerHooks({ load: (url, context, next) => (modules.push(url), next(url, context)) });
  await import(process.argv[1]);
  process.stdout.write(JSON.stringify({ modules }));`;

const loaded = z.object({ modules: z.array(z.string()) });

const connectors = published().filter(({ manifest }) => manifest.name.includes('/connector-'));

test.each(connectors.map(({ folder, manifest }) => [manifest.name, folder] as const))(
  '%s loads no more of core than its methods and adapters need',
  (_name, folder) => {
    const cwd = join(root, folder);
    const args = ['--conditions=@railyard/source', '--input-type=module', '--eval', LOADING, join(cwd, 'src/index.ts')];
    const { modules } = loaded.parse(JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })));
    expect(modules.length).toBeGreaterThan(20);
    expect(modules.filter((url) => NOT_LOADED.some((path) => url.endsWith(`core/src/${path}`)))).toEqual([]);
    expect(modules.filter((url) => url.includes('@noble') && !folder.endsWith('crypto'))).toEqual([]);
  },
);
