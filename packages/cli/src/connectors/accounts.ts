import type { Connector } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import * as z from 'zod';
import { type Given, type OptionSpec, textOf, UsageError } from '../commands/command.ts';
import type { Io } from '../output/io.ts';
import type { Found, FoundConnector } from './find-connectors.ts';
import { readJson } from './read-json.ts';
import { sampleSettings } from './sample-settings.ts';

/** A provider account that can be used. */
export interface Account {
  /** `sample`: made up, because none was named. */
  readonly id: string;
  readonly connector: Connector;
  readonly simulation: Simulation | undefined;
  /** As the connector's schema read them. */
  readonly settings: unknown;
  /** Method key → parameter → value. */
  readonly defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A problem of an account, where it stands in the configuration. */
export interface AccountProblem {
  readonly mid: string;
  readonly path: string;
  readonly message: string;
}

/** Options of every command that works with one account. */
export const ACCOUNT_OPTIONS = {
  mid: { type: 'string', hint: 'ID', says: 'the account: a MID of the configuration' },
  settings: { type: 'string', hint: 'FILE', says: 'settings of an account, as JSON, in place of a configuration' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** The part of a MID that is needed here; the rest of a configuration is for the checkout to read. */
const midSchema = z.looseObject({
  id: z.string(),
  connector: z.string(),
  settings: z.record(z.string(), z.unknown()),
  defaults: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

/** Every MID of the configuration: the usable ones, and the problems of the others. Values are never repeated. */
export async function readAccounts({ config, connectors }: Found) {
  const accounts: Account[] = [];
  const problems: AccountProblem[] = [];
  const mids = Array.isArray(config?.['mids']) ? config['mids'] : [];
  for (const [index, given] of mids.entries()) {
    const read = midSchema.safeParse(given);
    const id = read.data?.id ?? `mids.${index}`;
    const tell = (path: string, message: string) => problems.push({ mid: id, path: `mids.${index}.${path}`, message });
    if (!read.success) {
      for (const { path, message } of read.error.issues) tell(path.join('.'), textOfProblem(message));
      continue;
    }
    const found = connectors.find(({ connector }) => connector.id === read.data.connector);
    if (found === undefined) {
      tell('connector', `There is no connector "${read.data.connector}". There are: ${idsOf(connectors)}.`);
      continue;
    }
    const settings = await readSettings(found.connector, read.data.settings);
    if (settings.ok) accounts.push({ ...found, id, settings: settings.value, defaults: read.data.defaults });
    else for (const { path, message } of settings.problems) tell(`settings.${path}`, message);
  }
  return { accounts, problems };
}

type ReadSettings =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly { readonly path: string; readonly message: string }[] };

/** Settings with their references read, checked by the connector's schema. */
async function readSettings({ settings }: Connector, given: Readonly<Record<string, unknown>>): Promise<ReadSettings> {
  const { readReferences } = await import('@railyard/runtime');
  const { values, problems } = readReferences(given);
  const absent = problems.map(({ path, why }) => ({ path: path.join('.'), message: why }));
  const parsed = settings.safeParse(values);
  if (parsed.success && absent.length === 0) return { ok: true, value: parsed.data };
  const wrong = (parsed.error?.issues ?? []).map(({ path, message }) => ({
    path: path.join('.'),
    message: textOfProblem(message),
  }));
  // A reference that cannot be read leaves nothing; that is said once.
  return {
    ok: false,
    problems: [...absent, ...wrong.filter(({ path }) => !absent.some((each) => each.path === path))],
  };
}

/** A missing value is often a secret whose environment variable is not set. */
function textOfProblem(message: string): string {
  return message.endsWith('received undefined') ? 'It is missing (is the environment variable set?).' : message;
}

/**
 * The account that a command works with: the MID that is named, or settings from a file; else the configuration's only one for the
 * connector; else made-up settings, which are enough to see what would be sent.
 *
 * @param fits which connectors come into question
 * @throws UsageError that lists the accounts, or the problems of the named one
 */
export async function accountFor(
  given: Given,
  found: Found,
  io: Io,
  fits: (connector: Connector) => boolean = () => true,
): Promise<Account> {
  const file = textOf(given, 'settings');
  if (file !== undefined) return fromFile(file, onlyConnector(found, fits), io);
  const mid = textOf(given, 'mid');
  const { accounts, problems } = await readAccounts(found);
  if (mid !== undefined) {
    const named = accounts.find(({ id }) => id === mid);
    if (named !== undefined && !fits(named.connector))
      throw new UsageError(`The connector of ${mid}, ${named.connector.id}, does not serve that.`);
    return named ?? refuse(mid, accounts, problems);
  }
  const [account, ...more] = accounts.filter(({ connector }) => fits(connector));
  if (account !== undefined && more.length === 0) return account;
  if (account !== undefined)
    throw new UsageError(`Say which account, with --mid: ${[account, ...more].map(({ id }) => id).join(', ')}.`);
  const connector = onlyConnector(found, fits);
  return { ...connector, id: 'sample', settings: sampleSettings(connector.connector), defaults: {} };
}

function refuse(mid: string, accounts: readonly Account[], problems: readonly AccountProblem[]): never {
  const own = problems.filter((each) => each.mid === mid).map(({ path, message }) => `  ${path}: ${message}`);
  if (own.length > 0) throw new UsageError(`The settings of ${mid} cannot be used:\n${own.join('\n')}`);
  // Accounts whose secrets are not set here are accounts too.
  const known = [...new Set([...accounts.map(({ id }) => id), ...problems.map((each) => each.mid)])].join(', ');
  throw new UsageError(
    known === ''
      ? `There is no account "${mid}": no configuration with mids was found. Name one with --config.`
      : `There is no account "${mid}". There are: ${known}.`,
  );
}

function onlyConnector({ connectors }: Found, fits: (connector: Connector) => boolean): FoundConnector {
  const [first, ...more] = connectors.filter(({ connector }) => fits(connector));
  if (first === undefined) throw new UsageError('None of the connectors serves that.');
  if (more.length > 0)
    throw new UsageError(
      `Several connectors serve that: ${idsOf([first, ...more])}. Name the account with --mid, or the connector’s file with --connector.`,
    );
  return first;
}

async function fromFile(file: string, found: FoundConnector, io: Io): Promise<Account> {
  const given = z.record(z.string(), z.unknown()).safeParse(await readJson(file, io));
  if (!given.success) throw new UsageError(`${file} holds no object with settings.`);
  const settings = await readSettings(found.connector, given.data);
  if (settings.ok) return { ...found, id: 'settings', settings: settings.value, defaults: {} };
  const problems = settings.problems.map(({ path, message }) => `  ${path}: ${message}`);
  throw new UsageError(`${file} has no settings for ${found.connector.id}:\n${problems.join('\n')}`);
}

const idsOf = (connectors: readonly FoundConnector[]) => connectors.map(({ connector }) => connector.id).join(', ');
