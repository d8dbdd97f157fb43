import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { conformance } from '@railyard/conformance';
import { pix } from '@railyard/connector-pix/methods';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { anySettings } from '../support/deployment.ts';
import { goldens } from './goldens.ts';
import { acmePixConnector, acmePixSimulation } from './src/index.ts';

conformance(acmePixConnector, {
  test,
  level: 'excellent',
  goldens,
  simulation: acmePixSimulation,
  settings: anySettings(acmePixConnector, 'https://api.acme.example'),
  sessions: { pix: { purchase: { parameters: { debtor_document: '52998224725' } } } },
});

test('it serves the method of the other package, not one of its own', () => {
  expect(acmePixConnector.serves.map(({ method }) => method)).toEqual([pix]);
});

test('bundled alone it imports core, zod and the methods of the other package, all of which its users bring', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('src/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    packages: 'external',
    metafile: true,
    write: false,
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(new Set(imported)).toEqual(new Set(['@railyard/connector-pix/methods', '@railyard/core', 'zod']));
  expect(outputFiles[0]?.text).not.toContain('/v1/charges');
  const { peerDependencies } = z
    .object({ peerDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')));
  for (const path of imported) expect(peerDependencies).toHaveProperty([path.replace(/\/methods$/, '')]);
});
