import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkTarballs } from '../src/make-release.ts';
import { readTarball } from '../src/tarball-offences.ts';
import { type Step, stepsOfGuide } from '../../test/docs/guide.ts';
import { createArguments, packForAuthors } from '../../test/support/new-connector.ts';
import { scratch } from '../../test/support/pack.ts';
import { root } from '../../test/support/workspace.ts';

let home: string;
let tarballs: string;
let reader: Reader;

beforeAll(() => {
  home = scratch('guide');
  tarballs = packForAuthors(home, ['cli', 'identifiers']);
  reader = new Reader();
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

const FACTS = join(root, 'test/docs/official/paystack.json');

/** Reads the guide as an author does, in an empty folder, without a registry that knows our packages. */
class Reader {
  #folder = home;
  #said = '';

  follow(step: Step): void {
    switch (step.does) {
      case 'run':
        return this.#run(step.command, step.fails);
      case 'write':
        return writeFileSync(join(this.#folder, step.file), step.text);
      case 'change': {
        const text = readFileSync(join(this.#folder, step.file), 'utf8');
        expect(text).toContain(step.from);
        return writeFileSync(join(this.#folder, step.file), text.replace(step.from, step.to));
      }
      case 'read':
        expect(this.#said).toContain(step.text);
    }
  }

  /** As docs/start-release.md says, but for publishing. @returns the path of what would be published */
  pack(): string {
    this.#run(['npx', 'changeset', 'version'], false);
    this.#run(['npm', 'pack', '--pack-destination', home], false);
    const tarball = readdirSync(home).find((name) => name.endsWith('.tgz'));
    if (tarball === undefined) throw new Error(`npm packed nothing: ${this.#said}`);
    return join(home, tarball);
  }

  #run([program = '', ...args]: readonly string[], fails: boolean): void {
    if (program === 'cd') {
      this.#folder = join(this.#folder, args[0] ?? '');
      // The reader puts the provider's description there; of that the project has the facts, which are read in the same way.
      copyFileSync(FACTS, join(this.#folder, 'paystack.json'));
      return;
    }
    const { status, stdout, stderr, error } = spawnSync(program, unpublished(args), {
      cwd: this.#folder,
      encoding: 'utf8',
      timeout: 240_000,
      killSignal: 'SIGKILL',
      env: {
        ...process.env,
        CI: '',
        NO_COLOR: '1',
        PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      },
    });
    if (error !== undefined) throw new Error(`${program} did not run to its end: ${error.message}\n${stdout}${stderr}`);
    this.#said = `${stdout}${stderr}`;
    expect(`${status === 0 ? 'worked' : 'failed'}${(status === 0) === fails ? this.#said : ''}`).toBe(
      fails ? 'failed' : 'worked',
    );
  }
}

/** `npm create @railyard/connector` before there is a release: the same program from its tarball, which takes the others from theirs. */
function unpublished([verb = '', name = '', ...rest]: readonly string[]): readonly string[] {
  if (verb === 'install' && rest.includes('@railyard/cli')) return ['install', '--no-save', packedCommand(tarballs)];
  if (verb !== 'create' || name !== '@railyard/connector') return [verb, name, ...rest].filter((word) => word !== '');
  return createArguments(
    tarballs,
    rest.filter((word) => word !== '--'),
  );
}

/** The tarball of the command; it is not written down in the package that the guide releases. */
function packedCommand(folder: string): string {
  const file = readdirSync(folder).find((name) => /^railyard-cli-\d/.test(name));
  if (file === undefined) throw new Error(`${folder} has no packed command.`);
  return join(folder, file);
}

const steps = stepsOfGuide();

test('the guide, followed to the letter in an empty folder: what was created is green without an edit, the finished connector too, a wrong one is red', () => {
  expect(steps.filter(({ does }) => does === 'run').length).toBeGreaterThan(5);
  for (const step of steps) {
    try {
      reader.follow(step);
    } catch (error) {
      throw new Error(`${step.place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}, 300_000);

test('the finished connector of the guide is released as 1.0.0, with all that a package has, and nothing of the folder it was made in', () => {
  const packed = readTarball(reader.pack());
  expect(packed.manifest).toMatchObject({ name: 'railyard-connector-paystack', version: '1.0.0' });
  checkTarballs([packed], home);
}, 300_000);
