import { AsyncLocalStorage } from 'node:async_hooks';
import { type Connector, type DigitalWallet, type Method } from '@railyard/core';
import { createRegistry, type MethodProfile, type Profile, type Registry } from '@railyard/core/registry';
import * as z from 'zod';
import type { MerchantScope } from '../storage/index.ts';
import { ConfigError, type Catalogue, type MerchantConfig, type MidConfig } from '../deployment/catalogue.ts';
import { methodConfigsOf, readMids, readWallets, type MerchantWallet, type Mid } from './methods.ts';
import { secretsOfCatalogue } from '../deployment/secrets.ts';
import { parseConfig, type CheckoutConfig } from '../deployment/config.ts';
export type { Mid } from './methods.ts';

const MIN_PASSWORD = 16;

/** Problems in a merchant's signature settings, each with its path. Dropped merchants are not checked. */
export function signingProblems(config: MerchantConfig, index: number): string[] {
  const at = `merchants.${index}`;
  const { callbackUrl, callbackSecret, test, testKey, legacySignatures, legacyAddresses } = config;
  const problems = [
    ...ofOneKey(config, config, at),
    ...(test === undefined ? [] : ofOneKey(test, config, `${at}.test`)),
  ];
  if (callbackUrl !== undefined && callbackSecret === undefined)
    problems.push(`${at}.callbackSecret: callbacks are signed with it; give one beside callbackUrl.`);
  if (test?.callbackUrl !== undefined && test.callbackSecret === undefined)
    problems.push(`${at}.test.callbackSecret: callbacks are signed with it; give one beside callbackUrl.`);
  if (testKey !== undefined && test === undefined)
    problems.push(`${at}.test: the test key has secrets of its own; give at least test.password.`);
  if (testKey === undefined && test !== undefined)
    problems.push(`${at}.test: there is no test key; give testKey, or leave test out.`);
  if (test !== undefined && secretsOfOne(test).some((secret) => secretsOfOne(config).includes(secret)))
    problems.push(`${at}.test: a secret is the same as a live one; what is signed for one would hold for the other.`);
  if ((legacySignatures === 'money-out') !== legacyAddresses.length > 0)
    problems.push(
      `${at}.legacyAddresses: give them together with legacySignatures 'money-out', and with nothing else.`,
    );
  return problems;
}

type Signing = Pick<MerchantConfig, 'password' | 'callbackSecret' | 'requestKeys'>;

const secretsOfOne = ({ password, callbackSecret = [], requestKeys }: Signing): string[] => [
  ...[password, callbackSecret].flat(),
  ...requestKeys.flatMap(({ secret }) => secret),
];

function ofOneKey(signing: Signing, { weakPassword }: MerchantConfig, at: string): string[] {
  const { password, callbackSecret = [], requestKeys } = signing;
  const short = [password].flat().some((each) => [...each].length < MIN_PASSWORD);
  const ids = requestKeys.map(({ id }) => id);
  const shared = requestKeys.some(({ secret }) =>
    [secret].flat().some((each) => [callbackSecret].flat().includes(each)),
  );
  return [
    ...(short && !weakPassword ? [`${at}.password: give ${MIN_PASSWORD} characters or more.`] : []),
    ...(new Set(ids).size < ids.length ? [`${at}.requestKeys: duplicate id. Give each key an id of its own.`] : []),
    ...(shared ? [`${at}.requestKeys: a secret is that of the callbacks, too; give another one.`] : []),
  ];
}

/** The method and account behind a merchant's method key. */
export interface Route {
  readonly key: string;
  readonly method: Method;
  readonly names: Pick<Method, 'title' | 'subtitle'>;
  readonly mid: Mid;
  /** The MID's entry in the merchant's profile. */
  readonly profile: MethodProfile;
}

/** A merchant as seen by one of its keys: the test key leads to other MIDs than the live one. */
export interface Merchant {
  readonly config: MerchantConfig;
  /** Validates this merchant's requests; also exported to the merchant. */
  readonly profile: Profile;
  /** By method. */
  readonly wallets: ReadonlyMap<string, MerchantWallet>;
}

/** Merchants, their methods and provider accounts, checked as a whole. */
export interface Directory {
  readonly registry: Registry;
  /** The merchant of a key, and whether it is the test key. */
  find(merchantKey: string): { readonly merchant: Merchant; readonly test: boolean } | undefined;
  /** The merchant of a stored session: by its live key, also when that was taken out of the configuration. */
  merchantOf(session: { readonly merchantKey: string; readonly test: boolean }): Merchant | undefined;
  mid(id: string): Mid | undefined;
  /** All of them, as their live keys show them. */
  merchants(): readonly Merchant[];
  /** Where the callbacks of each merchant's keys go now. */
  readonly callbackAddresses: readonly (MerchantScope & { readonly url: string })[];
  /** Passwords, callback secrets and credentials: for the log, which leaves them out. */
  readonly secrets: readonly string[];
  /** Methods that payers of one order would read by the same name. A configuration with such names is not stored, but one that is stored is used. */
  readonly sameNames: readonly string[];
}

/** MIDs and merchants dropped from the configuration. Payments may still belong to them; they take no new ones. */
export interface Retired {
  readonly mids: readonly MidConfig[];
  readonly merchants: readonly MerchantConfig[];
}

export interface DirectoryInput extends Catalogue {
  readonly connectors: readonly Connector[];
  readonly wallets?: readonly DigitalWallet[];
  readonly retired?: Retired;
}

/** @throws ConfigError for MIDs or methods without connector, settings that a connector refuses, duplicate keys. */
export function createDirectory(input: DirectoryInput): Directory {
  const { connectors, wallets: installed = [], mids: given, merchants, retired } = input;
  const [problems, sameNames]: [string[], string[]] = [[], []];
  const registry = registryOf(connectors);
  const mids = readMids(given, connectors, registry, problems);
  const named = new Set(given.map((each) => each.id));
  const byKey = new Map<string, { merchant: Merchant; test: boolean }>();
  const stored = new Map<string, { readonly live: Merchant; readonly test: Merchant }>();
  for (const [index, config] of merchants.entries()) {
    const profiles = methodConfigsOf(config, index, { registry, mids, named, problems, sameNames });
    const wallets = readWallets(config, index, { registry, installed, problems });
    const [live, test] = [
      { config, profile: profiles.live, wallets },
      { config: asTestKey(config), profile: profiles.test, wallets },
    ];
    stored.set(config.key, { live, test });
    addKeys(byKey, index, { live, test }, problems);
    problems.push(...signingProblems(config, index));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const configured = [...stored.values()];
  for (const config of retired?.merchants ?? []) addRetired(config, byKey, stored);
  // A dropped merchant or MID that cannot be used any more leads nowhere. It must not keep the rest from working.
  const dropped = readMids(retired?.mids ?? [], connectors, registry, []);
  return {
    registry,
    find: (key) => byKey.get(key),
    merchantOf: ({ merchantKey, test }) => stored.get(merchantKey)?.[test ? 'test' : 'live'],
    mid: (id) => mids.get(id) ?? dropped.get(id),
    merchants: () => [...stored.values()].map(({ live }) => live),
    callbackAddresses: configured.flatMap(({ live, test }) =>
      [live, test].flatMap(({ config: { key, callbackUrl } }, at) =>
        callbackUrl === undefined ? [] : [{ merchantKey: key, test: at === 1, url: callbackUrl }],
      ),
    ),
    secrets: [
      ...secretsOfCatalogue({ mids: given, merchants, connectors, wallets: installed }),
      ...(retired === undefined ? [] : secretsOfCatalogue({ ...retired, connectors, wallets: installed })),
    ],
    sameNames,
  };
}

const registries = new WeakMap<readonly Connector[], Registry>();

/** One registry for all versions of a configuration, so that a change compiles no schema again. */
function registryOf(connectors: readonly Connector[]): Registry {
  const known = registries.get(connectors);
  if (known !== undefined) return known;
  const methods = connectors.flatMap((connector) => connector.serves.map((served) => served.method));
  const registry = createRegistry(methods, { compile: z.compile });
  registries.set(connectors, registry);
  return registry;
}

/** The merchant as the test key shows it: with the secrets and the callback address of tests, and none of the live ones. */
function asTestKey({ callbackUrl: _url, callbackSecret: _secret, ...config }: MerchantConfig): MerchantConfig {
  return config.test === undefined ? { ...config, requestKeys: [] } : { ...config, ...config.test };
}

function addKeys(
  byKey: Map<string, { merchant: Merchant; test: boolean }>,
  index: number,
  { live, test }: { readonly live: Merchant; readonly test: Merchant },
  problems: string[],
): void {
  const entries = [
    { key: live.config.key, merchant: live, test: false },
    { key: live.config.testKey, merchant: test, test: true },
  ];
  for (const { key, ...entry } of entries) {
    if (key === undefined) continue;
    if (byKey.has(key))
      problems.push(`merchants.${index}: a key is used by two merchants, or as live and test key at once.`);
    byKey.set(key, entry);
  }
}

/** Retired merchants can still look up their payments and get callbacks; without methods they cannot begin a payment. */
function addRetired(
  config: MerchantConfig,
  byKey: Map<string, { merchant: Merchant; test: boolean }>,
  stored: Map<string, { readonly live: Merchant; readonly test: Merchant }>,
): void {
  const live: Merchant = { config, profile: { methods: {}, channels: [] }, wallets: new Map() };
  const test: Merchant = { ...live, config: asTestKey(config) };
  if (!stored.has(config.key)) stored.set(config.key, { live, test });
  if (!byKey.has(config.key)) byKey.set(config.key, { merchant: live, test: false });
  if (config.testKey !== undefined && !byKey.has(config.testKey))
    byKey.set(config.testKey, { merchant: test, test: true });
}

/**
 * Everything that is wrong with a configuration, each with its path, without starting anything; empty where it can be run.
 * Where merchants and MIDs are in the database, only the process's own part is looked at.
 *
 * @example configProblems(config) // ['mids.0.settings.api_key: is missing (is the environment variable set?).']
 */
export function configProblems(config: CheckoutConfig): readonly string[] {
  try {
    const parsed = parseConfig(config);
    return parsed.given === undefined ? [] : createDirectory(parsed).sameNames;
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** A directory whose content is replaced while the service runs. */
export interface LiveDirectory extends Directory {
  /** From now on lookups use this content. */
  swap(next: Directory): void;
  /** Runs work that sees the same content from beginning to end, as a request must. */
  pinned<T>(work: () => T): T;
}

export function liveDirectory(first: Directory, onTaken: (taken: Directory) => void = () => undefined): LiveDirectory {
  onTaken(first);
  const pins = new AsyncLocalStorage<Directory>();
  let newest = first;
  const current = () => pins.getStore() ?? newest;
  return {
    get registry() {
      return current().registry;
    },
    find: (merchantKey) => current().find(merchantKey),
    merchantOf: (session) => current().merchantOf(session),
    mid: (id) => current().mid(id),
    merchants: () => current().merchants(),
    get callbackAddresses() {
      return current().callbackAddresses;
    },
    get secrets() {
      return current().secrets;
    },
    get sameNames() {
      return current().sameNames;
    },
    swap(next) {
      onTaken(next);
      newest = next;
    },
    pinned: (work) => pins.run(current(), work),
  };
}

/** Time enough to get a new one. */
const SOON_MS = 30 * 86_400_000;

/** The wallets whose certificate ends soon or has ended. @param now milliseconds since 1970 */
export function walletWarnings(
  { merchants }: Pick<Directory, 'merchants'>,
  now: number,
): readonly { readonly merchant: string; readonly method: string; readonly why: string }[] {
  return merchants().flatMap(({ config, wallets }) =>
    [...wallets].flatMap(([method, { wallet, settings }]) => {
      const { expires } = wallet.check(settings);
      if (expires === undefined || Date.parse(expires) > now + SOON_MS) return [];
      return [{ merchant: config.name, method, why: `The certificate is valid until ${expires}.` }];
    }),
  );
}
