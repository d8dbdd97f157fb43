import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EdgeVM } from '@edge-runtime/vm';
import { chromium as browsers } from 'playwright-core';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { bundleOf, notCounted, PAGE_BUDGET_KB, type Target, validating } from '../../test/support/bundle.ts';
import { chromium, chromiumFlags, requireTool } from '../../test/support/tool.ts';
import { connectors, installed, program, projectWith } from './support/project.ts';
import { supportedTypeScripts, typescriptOf } from './support/typescript.ts';

/** Connector → the project that has it and core alone. */
const projects = new Map<string, string>();

/** The project that has the merchant's client and what it brings. */
let shop = '';

beforeAll(() => {
  for (const connector of connectors) {
    const folder = projectWith(['@railyard/core', connector]);
    program('check-methods.mjs', connector, folder);
    program('check-types.ts', connector, folder);
    projects.set(connector, folder);
  }
  shop = projectWith(['@railyard/core', '@railyard/client']);
  program('check-client.ts', '', shop);
});

const projectOf = (connector: string): string => projects.get(connector) ?? '';
const checking = `import { checkMethods } from './check-methods.mjs'; globalThis.checked = checkMethods();`;
const bundled = async (connector: string, target: Target) =>
  (await bundleOf(projectOf(connector), checking, { target })).text;

test.for(supportedTypeScripts)('TypeScript %s reads the types of core, every connector and the client', (version) => {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // Also declarations that no program imports by name: a broken one in a package must show.
    skipLibCheck: false,
  };
  const files = [
    ...[...projects.values()].map((folder) => join(folder, 'check-types.ts')),
    join(shop, 'check-client.ts'),
  ];
  const config = join(inject('home'), `tsconfig-${version}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const { stdout, stderr, error } = spawnSync(process.execPath, [typescriptOf(version), '-p', config], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  expect({ said: stdout + stderr, error }).toEqual({ said: '', error: undefined });
});

describe.each(connectors)('core and %s', (connector) => {
  test('validate in an edge runtime, without any module of Node', async () => {
    const edge = new EdgeVM();
    edge.evaluate(await bundled(connector, 'edge'));
    const checked: unknown = edge.evaluate('JSON.stringify(globalThis.checked)');
    expect(checked).toMatch(/^\["[\w-]+"/);
  });

  test('keep their budget in a browser, without zod, whichever method is validated', async () => {
    const folder = projectOf(connector);
    const methods = Object.keys(
      await import(pathToFileURL(join(folder, 'node_modules', connector, 'dist/methods.js')).href),
    );
    expect(methods.length).toBeGreaterThan(0);
    const external = notCounted(folder, connector);
    for (const method of methods) {
      const { gzipped } = await bundleOf(folder, validating(connector, method), { target: 'browser', external });
      expect({ method, kilobytes: gzipped / 1024 }).toEqual({
        method,
        kilobytes: expect.toSatisfy((kilobytes: number) => kilobytes <= PAGE_BUDGET_KB),
      });
    }
  });
});

test('what sizes leave out of the crypto connector is six files of libraries alone', () => {
  const crypto = '@railyard/connector-crypto';
  const files = notCounted(projectOf(crypto), crypto).filter((each) => isAbsolute(each));
  // The bundler names each source above its code.
  const sources = files.flatMap((file) => readFileSync(file, 'utf8').match(/^\/\/ .+$/gm) ?? []);
  expect(sources.filter((source) => !/\/node_modules\/@(?:noble\/hashes|scure\/base)\//.test(source))).toEqual([]);
  expect(sources).toHaveLength(6);
});

test('the client of a merchant runs in an edge runtime, without any module of Node', async () => {
  expect(installed(shop)).toEqual(['client', 'core']);
  const edge = new EdgeVM();
  const using = `import { refused } from './check-client.ts'; globalThis.refused = refused;`;
  edge.evaluate((await bundleOf(shop, using, { target: 'edge' })).text);
  expect(edge.evaluate('globalThis.refused')).toBe('no-signature');
});

test('every connector validates in a browser', async (ctx) => {
  const executablePath = requireTool(ctx, chromium);
  const browser = await browsers.launch({ executablePath, args: [...chromiumFlags] });
  try {
    for (const connector of connectors) {
      const page = await browser.newPage();
      await page.addScriptTag({ content: await bundled(connector, 'browser') });
      expect(await page.evaluate('globalThis.checked')).toContainEqual(expect.stringMatching(/^[\w-]+$/));
      await page.close();
    }
  } finally {
    await browser.close();
  }
});

test('what needs a module of Node is not bundled for the edge', async () => {
  const [folder = ''] = projects.values();
  const needy = `import { readFileSync } from 'node:fs'; globalThis.checked = readFileSync;`;
  await expect(bundleOf(folder, needy, { target: 'edge' })).rejects.toThrow('Could not resolve "node:fs"');
});
