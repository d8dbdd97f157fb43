import { spawn } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { packedIn, releasedVersions } from './manifest.ts';
import { BadUse, checkNames, type Names, providerFrom, slug } from './names.ts';
import { nodeAdvice } from './node-advice.ts';
import { remoteOf, repositoryUrl } from './repository.ts';
import { writePackage } from './write-package.ts';

const USAGE = `Writes a connector package: methods, settings, calls, flows, notifications and their tests.

  npm create @railyard/connector [folder] [-- options]

  --name <name>          name of the package on npm (else the folder's)
  --provider <name>      the provider's name, as people write it (else from the name)
  --method <key>         key of the method, as merchants send it (else from the provider)
  --repository <address> its repository: you/name on GitHub, or https://… (else where the folder's git pushes to)
  --tarballs <folder>    take the @railyard packages from packed files in this folder
  --install              install what the package needs, without asking
  --yes                  ask nothing
  --help                 this text`;

export interface Terminal {
  /** `true`: a person is there to be asked. */
  readonly isTerminal: boolean;
  say(line: string): void;
  complain(line: string): void;
}

type Ask = (question: string, fallback: string) => Promise<string>;

/** The command. Answers its exit code: 0 done, 1 what was started failed, 2 bad use. */
export async function createConnector(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { values, positionals } = read(args);
    if (values.help === true) {
      terminal.say(USAGE);
      return 0;
    }
    return await write(values, positionals[0], terminal);
  } catch (error) {
    if (!(error instanceof BadUse)) throw error;
    terminal.complain(error.message);
    return 2;
  }
}

function read(args: readonly string[]) {
  const options = {
    name: { type: 'string' },
    provider: { type: 'string' },
    method: { type: 'string' },
    repository: { type: 'string' },
    tarballs: { type: 'string' },
    install: { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new BadUse(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

type Given = ReturnType<typeof read>['values'];

async function write(given: Given, wanted: string | undefined, terminal: Terminal): Promise<number> {
  const asks = terminal.isTerminal && given.yes !== true;
  const lines = asks ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
  const ask: Ask = async (question, fallback) =>
    (await lines?.question(`${question} (${fallback}) `))?.trim() || fallback;
  try {
    const folder = resolve(wanted ?? given.name ?? (await ask('Folder', 'railyard-connector-example')));
    const names = checkNames(await namesOf(given, folder, ask));
    const overrides = given.tarballs === undefined ? {} : await packedIn(given.tarballs);
    const versions = { ranges: await releasedVersions(), overrides };
    const written = await writePackage(folder, names, versions, new Date().getFullYear());
    terminal.say(`Wrote ${names.package}: ${written.length} files in ${folder}`);
    const advice = nodeAdvice(process.versions.node);
    if (advice !== undefined) terminal.complain(advice);
    const installs = given.install === true || (asks && /^y/i.test(await ask('Install what it needs now?', 'yes')));
    if (installs && !(await npm(folder, ['install', '--no-audit', '--no-fund']))) {
      terminal.complain(
        `npm install failed in ${folder}. The package is written; mend what npm says and run it again.`,
      );
      return 1;
    }
    terminal.say(nextSteps(folder, names, installs));
    return 0;
  } finally {
    lines?.close();
  }
}

async function namesOf(given: Given, folder: string, ask: Ask): Promise<Names> {
  const name = given.name ?? (await ask('Name of the package', basename(folder)));
  const provider = given.provider ?? (await ask("The provider's name", providerFrom(name)));
  const method = given.method ?? (await ask('Key of the method', slug(provider)));
  return { package: name, provider, method, repository: await repositoryOf(given, folder, ask) };
}

async function repositoryOf(given: Given, folder: string, ask: Ask): Promise<string | undefined> {
  const known = given.repository === undefined ? remoteOf(folder) : repositoryUrl(given.repository);
  if (known !== undefined) return known;
  const said = await ask('Its repository: you/name on GitHub, or an address', 'none yet');
  return said === 'none yet' ? undefined : repositoryUrl(said);
}

function npm(folder: string, args: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => done(false));
    child.once('exit', (code) => done(code === 0));
  });
}

const nextSteps = (folder: string, { repository }: Names, installed: boolean): string => `
Next:
  cd ${folder}${installed ? '' : '\n  npm install'}
  npm run check      build, types and the conformance kit; green from the start

Then make it your provider's: src/methods.ts first, then the file of the provider from its settings to its flows.
README.md says what stands where.${repository === undefined ? NAME_IT : ''}`;

const NAME_IT = `
Before you release it, package.json must name its repository:
  npm pkg set repository.type=git repository.url=git+https://github.com/you/name.git`;
