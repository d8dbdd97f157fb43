import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'vitest';

/** What the reporter looks for: a skip that starts like this was declared, any other skip is a failure. */
export const NOT_RUN = 'NOT RUN: ';
/** How the conformance kit skips a check that a connector's declarations leave nothing to look at. */
export const DOES_NOT_APPLY = 'Does not apply: ';

/** A program that a test needs and a machine may lack. `find` gives its path, `hint` says how to get it. */
export interface Tool {
  readonly name: string;
  readonly hint: string;
  readonly find: () => string | undefined;
}

/** Debian's browser or any Chrome on the PATH; `CHROMIUM` overrides both. */
export const chromium: Tool = {
  name: 'Chromium',
  hint: 'install the package chromium or set CHROMIUM to its path',
  find: () =>
    process.env['CHROMIUM'] ?? onPath(['chromium', 'chromium-browser', 'google-chrome']) ?? usable('/usr/bin/chromium'),
};

/** Debian's Firefox or any other on the PATH; `FIREFOX` overrides both. */
export const firefox: Tool = {
  name: 'Firefox',
  hint: 'install the package firefox-esr or set FIREFOX to its path',
  find: () => process.env['FIREFOX'] ?? onPath(['firefox-esr', 'firefox']) ?? usable('/usr/bin/firefox-esr'),
};

/** PHP on the command line, for the client in `clients/php` and the programs that documents show to merchants. */
export const php: Tool = {
  name: 'PHP',
  hint: 'install the package php-cli',
  find: () => onPath(['php']),
};

/** Python on the command line, for the client in `clients/python` and the programs that documents show to merchants. */
export const python: Tool = {
  name: 'Python',
  hint: 'install the package python3',
  find: () => onPath(['python3']),
};

/** This and the next for the program that a document shows to merchants without a language. */
export const curl: Tool = {
  name: 'curl',
  hint: 'install the package curl',
  find: () => onPath(['curl']),
};

export const openssl: Tool = {
  name: 'OpenSSL',
  hint: 'install the package openssl',
  find: () => onPath(['openssl']),
};

/** Runs a program that has process numbers of its own, as a container has. */
export const pidNamespaces: Tool = {
  name: 'unshare with pid namespaces',
  hint: 'run the tests on a Linux that allows user namespaces',
  find: () => {
    const path = onPath(['unshare']);
    if (path === undefined) return undefined;
    return spawnSync(path, ['--map-root-user', '--pid', '--fork', '--mount-proc', 'true']).status === 0
      ? path
      : undefined;
  },
};

/** A program's clock set by another one, for what a step of the machine's clock does to a process. */
export const fakeTime: Tool = {
  name: 'faketime',
  hint: 'install the package faketime',
  find: () => LIBFAKETIME.find((path) => existsSync(path)),
};

const LIBFAKETIME = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`);

/** A connection pooler, as operators put one before PostgreSQL. */
export const pgBouncer: Tool = {
  name: 'PgBouncer',
  hint: 'install the package pgbouncer',
  // Debian keeps it where the PATH of users does not lead.
  find: () => onPath(['pgbouncer']) ?? usable('/usr/sbin/pgbouncer'),
};

/** Permissions of files, which Windows keeps in another way. */
export const fileModes: Tool = {
  name: 'a file system with POSIX modes',
  hint: 'run the tests on Linux or macOS',
  find: () => (process.platform === 'win32' ? undefined : process.platform),
};

/**
 * The path of a tool, or the end of this test as NOT RUN with a reason.
 *
 * `npm test` passes with tests that did not run and lists them; where every test must run (CI) it fails.
 *
 * @example
 * test('shows the code on the page', async (ctx) => {
 *   const executablePath = requireTool(ctx, chromium);
 * });
 */
export function requireTool(ctx: Pick<TestContext, 'skip'>, tool: Tool): string {
  const path = tool.find();
  if (path !== undefined) return path;
  return ctx.skip(`${NOT_RUN}${tool.name} is not on this machine; ${tool.hint}`);
}

/** How Chromium is started in tests: as any user, without a screen, and without calls to its maker. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The first of these programs that the PATH holds. */
export function onPath(names: readonly string[], path: string = process.env['PATH'] ?? ''): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => usable(file));
}

function usable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}
