import type { Connector, DigitalWallet, Method } from '@railyard/core';
import { createServiceRegistry, type MethodProfile, type Profile, type Registry } from '@railyard/core/registry';
import * as z from 'zod';
import type { MerchantScope } from '../storage/index.ts';
import type { Catalogue, MerchantConfig, MidConfig } from '../deployment/catalogue-schema.ts';
import { signingProblems } from './merchant-rules.ts';
import { type Mid, readMids } from './mids.ts';
import { methodConfigsOf } from './method-configs.ts';
import { ConfigError } from '../deployment/problems.ts';
import { secretsOfCatalogue } from '../deployment/secrets-of.ts';
import { type MerchantWallet, readWallets } from './wallets.ts';

export type { Mid } from './mids.ts';

/** The method and account behind a merchant's method key. */
export interface Route {
  readonly key: string;
  readonly method: Method;
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
  const problems: string[] = [];
  const registry = registryOf(connectors);
  const mids = readMids(given, connectors, registry, problems);
  const named = new Set(given.map((each) => each.id));
  const byKey = new Map<string, { merchant: Merchant; test: boolean }>();
  const stored = new Map<string, { readonly live: Merchant; readonly test: Merchant }>();
  for (const [index, config] of merchants.entries()) {
    const profiles = methodConfigsOf(config, index, { registry, mids, named, problems });
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
  // Of what was dropped, what cannot be used any more leads nowhere; it must not keep the rest from working.
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
  };
}

const registries = new WeakMap<readonly Connector[], Registry>();

/** One registry for all versions of a configuration: what it has compiled is not compiled again after a change. */
function registryOf(connectors: readonly Connector[]): Registry {
  const known = registries.get(connectors);
  if (known !== undefined) return known;
  const methods = connectors.flatMap((connector) => connector.serves.map((served) => served.method));
  const registry = createServiceRegistry(methods, { compile: z.compile });
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
