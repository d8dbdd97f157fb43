import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleOf, COUNTED_APART, notCounted, validating } from '../../../test/support/bundle.ts';
import { emptyProject } from '../../../test/support/empty-project.ts';
import { pack } from '../../../test/support/pack.ts';
import { published } from '../../../test/support/workspace.ts';
import type { Benchmark, Row } from '../benchmark.ts';
import { spreadOf } from '../measure.ts';
import { newFolder, withCleanup } from '../places.ts';

/** A program that loads core and a connector in a new process and prints how long that took, zod apart. */
const LOADING = (connector: string) => `
  await import('zod');
  const from = performance.now();
  await import('@railyard/core');
  await import('${connector}');
  process.stdout.write(String(performance.now() - from));`;

export const packages: Benchmark = {
  name: 'packages',
  title: 'What packages weigh: in a page, on disk, and when they are loaded; from tarballs in empty projects.',
  async run(quick) {
    const rounds = quick ? 1 : 11;
    return withCleanup(async (cleanup) => {
      const home = await newFolder(cleanup);
      const tarball = (name: string) => pack(`packages/${name.replace('@railyard/', '')}`, home);
      const core = tarball('@railyard/core');
      const rows: Row[] = [];
      for (const connector of quick ? connectors.slice(0, 1) : connectors) {
        const folder = emptyProject(home, [core, tarball(connector)]);
        rows.push(...(await inPages(folder, connector)), installedIn(folder, `Core and ${connector}, with zod`));
        const loading = Array.from({ length: rounds }, () => loadedIn(folder, connector));
        const what = `Loading core and ${connector}, zod loaded before`;
        rows.push({ what, unit: 'ms', value: spreadOf(loading) });
      }
      if (!quick) {
        const names = ['runtime', 'checkout', 'connector-pix', 'connector-card'];
        const folder = emptyProject(home, [core, ...names.map(tarball)]);
        rows.push(installedIn(folder, 'The checkout with two connectors'));
      }
      const apart = Object.entries(COUNTED_APART).map(([name, what]) => `${name} (${what})`);
      return {
        rounds,
        rows,
        notes: [`In a page: minified and gzipped, without zod. Not counted: ${apart.join(', ')}.`],
      };
    });
  },
};

const connectors = published()
  .map(({ manifest }) => manifest.name)
  .filter((name) => name.includes('/connector-'));

/** The heaviest of a connector's methods, validated; and the whole connector, which only a server runs. */
async function inPages(folder: string, connector: string): Promise<Row[]> {
  const file = join(folder, 'node_modules', connector, 'dist/methods.js');
  const methods: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href);
  const external = notCounted(folder, connector);
  const kilobytes = async (program: string) =>
    (await bundleOf(folder, program, { target: 'browser', external })).gzipped / 1024;
  const validated = await Promise.all(Object.keys(methods).map((method) => kilobytes(validating(connector, method))));
  const whole = `export { createRegistry } from '@railyard/core/registry'; export * from '${connector}';`;
  return [
    {
      what: `Validating the heaviest method of ${connector} in a page`,
      unit: 'KB',
      value: spreadOf([Math.max(...validated)]),
    },
    { what: `The registry and all of ${connector}`, unit: 'KB', value: spreadOf([await kilobytes(whole)]) },
  ];
}

function installedIn(folder: string, what: string): Row {
  const found = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const count = files.filter((file) => /node_modules\/(@[^/]+\/)?[^/@.]+\/package\.json$/.test(file)).length;
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { what: `${what}: ${count} packages on disk`, unit: 'MB', value: spreadOf([bytes / 2 ** 20]) };
}

function loadedIn(folder: string, connector: string): number {
  const args = ['--input-type=module', '--eval', LOADING(connector)];
  return Number(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
}
