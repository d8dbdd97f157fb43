import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { nodeAdvice } from '../src/node-advice.ts';
import { createConnector } from '../src/command.ts';
import { packedIn } from '../src/manifest.ts';
import { checkNames, providerFrom, slug, writePackage } from '../src/index.ts';

let home: string;
const names = { package: '@shop/railyard-sun', provider: 'Sun & Moon Pay', method: 'sun-moon' };
const ranges = Object.fromEntries(
  [
    '@changesets/cli',
    '@railyard/conformance',
    '@railyard/core',
    '@types/node',
    'tsup',
    'typescript',
    'vitest',
    'zod',
  ].map((name) => [name, '1.2.3']),
);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'railyard-create-'));
});

afterAll(() => rm(home, { recursive: true, force: true }));

async function run(args: readonly string[]) {
  const said: string[] = [];
  const terminal = {
    isTerminal: false,
    say: (line: string) => said.push(line),
    complain: (line: string) => said.push(line),
  };
  return { code: await createConnector(args, terminal), said: said.join('\n') };
}

describe('a written package', () => {
  const folder = () => join(home, 'written');
  const read = (path: string) => readFile(join(folder(), path), 'utf8');
  let files: string[];

  beforeAll(async () => {
    files = await writePackage(folder(), names, { ranges, overrides: {} }, 2026);
  });

  it('has its own names everywhere, and none of the template', async () => {
    const texts = await Promise.all(files.map(async (path) => `${path}\n${await read(path)}`));
    expect(texts.join('\n')).not.toMatch(
      /example-(pay|method|package|author|year)|example(Pay|Method)|Example (Pay|Method)/,
    );
    expect(files).toContain('src/sun-moon-pay.ts');
    expect(files).toContain('.gitignore');
    expect(await read('src/index.ts')).toContain('export { sunMoonPayConnector }');
    expect(await read('LICENSE')).toContain('2026 the authors of @shop/railyard-sun');
  });

  it('asks for core and zod as peers, and for the tools of the same release', async () => {
    expect(JSON.parse(await read('package.json'))).toMatchObject({
      name: '@shop/railyard-sun',
      keywords: ['railyard-connector'],
      peerDependencies: { '@railyard/core': '^1.2.3', zod: '^1.2.3' },
      devDependencies: { '@railyard/conformance': '1.2.3' },
    });
  });

  it('is not written over', async () => {
    await expect(writePackage(folder(), names, { ranges, overrides: {} }, 2026)).rejects.toThrow(/is not empty/);
  });
});

test('nothing is written where a package has no known version', async () => {
  const empty = join(home, 'without-versions');
  await expect(writePackage(empty, names, { ranges: {}, overrides: {} }, 2026)).rejects.toThrow(/npm run release:dry/);
  await expect(readdir(empty)).rejects.toThrow('ENOENT');
});

test.each([
  ['railyard-connector-sun-pay', 'Sun Pay'],
  ['@shop/connector-sun', 'Sun'],
  ['moon', 'Moon'],
])('takes the provider of %s for %s', (name, provider) => {
  expect(providerFrom(name)).toBe(provider);
});

test.each([
  ['Ção Pay', 'cao-pay'],
  ['  A.B  ', 'a-b'],
])('makes the id of %s %s', (words, id) => {
  expect(slug(words)).toBe(id);
});

test.each([
  [{ package: 'Sun Pay' }, /no name that npm takes/],
  [{ provider: '1st Pay' }, /begins with a letter/],
  [{ provider: '支付' }, /begins with a letter/],
  [{ method: 'sun_pay' }, /no method key/],
])('refuses %o and says what would do', (wrong, message) => {
  expect(() => checkNames({ ...names, ...wrong })).toThrow(message);
});

test('packed packages take the place of the registry’s, but for those that an author installs by themselves', async () => {
  const packed = join(home, 'packed');
  await mkdir(packed);
  const names = ['railyard-core-1.0.0.tgz', 'railyard-cli-1.0.0.tgz', 'railyard-checkout-1.0.0.tgz', 'other-1.0.0.tgz'];
  for (const name of names) await writeFile(join(packed, name), '');
  expect(await packedIn(packed)).toEqual({ '@railyard/core': `file:${join(packed, 'railyard-core-1.0.0.tgz')}` });
});

describe('the command', () => {
  it('says how it is used', async () => {
    const { code, said } = await run(['--help']);
    expect(code).toBe(0);
    expect(said).toContain('npm create @railyard/connector [folder]');
  });

  it('refuses an option that it does not know', async () => {
    const { code, said } = await run(['--nmae', 'x']);
    expect(code).toBe(2);
    expect(said).toContain("'--nmae'");
  });

  it('refuses a folder without packed packages', async () => {
    const { code, said } = await run([join(home, 'new'), '--tarballs', home]);
    expect(code).toBe(2);
    expect(said).toContain('has no packed package');
  });

  it.each([
    ['20.20.2', 'this is 20.20.2: change it'],
    ['22.18.0', 'this is 22.18.0: change it'],
    ['22.19.0', undefined],
    ['24.21.0', undefined],
  ])('on Node %s advises %s', (version, advice) => {
    const expected = advice === undefined ? advice : expect.stringContaining(advice);
    expect(nodeAdvice(version)).toEqual(expected);
  });

  it('refuses a folder with something in it', async () => {
    await writeFile(join(home, 'railyard-core-1.0.0.tgz'), '');
    await writeFile(join(home, 'railyard-conformance-1.0.0.tgz'), '');
    const { code, said } = await run([home, '--name', 'sun', '--tarballs', home]);
    expect(code).toBe(2);
    expect(said).toMatch(/is not empty|no released version/);
  });
});
