import {
  type Connector,
  createRegistry,
  type Method,
  midValueIssues,
  type Profile,
  profileOf,
  type Registry,
} from '@railyard/core';
import { ConfigError, problemsOf, type MerchantConfig, type MidConfig, type ParsedConfig } from './config.ts';

/** A provider account ready for use. */
export interface Mid {
  readonly id: string;
  readonly connector: Connector;
  /** As the connector's schema read them. */
  readonly settings: unknown;
  readonly defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What a method key of a merchant leads to. */
export interface Route {
  readonly key: string;
  readonly method: Method;
  readonly mid: Mid;
}

export interface Merchant {
  readonly config: MerchantConfig;
  /** What requests of this merchant are validated with; also what is exported to the merchant. */
  readonly profile: Profile;
  readonly routes: ReadonlyMap<string, Route>;
}

/** Merchants, their methods and provider accounts, checked as a whole when the service starts. */
export interface Directory {
  readonly registry: Registry;
  /** The merchant of a key, and whether it is the test key. */
  find(merchantKey: string): { readonly merchant: Merchant; readonly test: boolean } | undefined;
  mid(id: string): Mid | undefined;
}

/** @throws ConfigError for MIDs without connector, settings that a connector refuses, methods that nobody serves, keys used twice. */
export function createDirectory(config: ParsedConfig): Directory {
  const problems: string[] = [];
  const registry = createRegistry(
    config.connectors.flatMap((connector) => connector.serves.map((served) => served.method)),
  );
  const mids = new Map<string, Mid>();
  for (const [index, mid] of config.mids.entries()) {
    if (mids.has(mid.id)) problems.push(`mids.${index}.id: "${mid.id}" stands twice.`);
    const ready = readyMid(mid, index, config.connectors, problems);
    problems.push(...defaultProblems(mid, index, registry));
    if (ready !== undefined) mids.set(mid.id, ready);
  }
  const merchants = new Map<string, { merchant: Merchant; test: boolean }>();
  const named = new Set(config.mids.map((each) => each.id));
  for (const [index, merchant] of config.merchants.entries()) {
    const entry = readMerchant(merchant, index, registry, mids, named, problems);
    for (const [key, test] of [
      [merchant.key, false],
      [merchant.testKey, true],
    ] as const) {
      if (key === undefined) continue;
      if (merchants.has(key))
        problems.push(`merchants.${index}: a key is used by two merchants, or as live and test key at once.`);
      merchants.set(key, { merchant: entry, test });
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { registry, find: (key) => merchants.get(key), mid: (id) => mids.get(id) };
}

function readyMid(
  mid: MidConfig,
  index: number,
  connectors: readonly Connector[],
  problems: string[],
): Mid | undefined {
  const connector = connectors.find((each) => each.id === mid.connector);
  if (connector === undefined) {
    problems.push(
      `mids.${index}.connector: no connector "${mid.connector}" is installed. Installed: ${connectors.map((each) => each.id).join(', ')}.`,
    );
    return undefined;
  }
  const settings = connector.settings.safeParse(mid.settings);
  if (!settings.success) {
    problems.push(...problemsOf(settings.error, `mids.${index}.settings.`));
    return undefined;
  }
  return { id: mid.id, connector, settings: settings.data, defaults: mid.defaults };
}

/** Values that no request could have sent would fail at a payer's payment; they fail at the start instead. */
function defaultProblems(mid: MidConfig, index: number, registry: Registry): string[] {
  return Object.entries(mid.defaults).flatMap(([key, values]) => {
    const path = `mids.${index}.defaults.${key}`;
    const method = registry.find(key);
    if (method === undefined) return [`${path}: no installed connector serves this method.`];
    return midValueIssues(method, values).map((each) => `${path}.${each.path}: ${each.message}`);
  });
}

function readMerchant(
  config: MerchantConfig,
  index: number,
  registry: Registry,
  mids: ReadonlyMap<string, Mid>,
  named: ReadonlySet<string>,
  problems: string[],
): Merchant {
  const routes = new Map<string, Route>();
  const profile: Profile = { methods: {} };
  for (const [at, offer] of config.methods.entries()) {
    const path = `merchants.${index}.methods.${at}`;
    const method = registry.find(offer.method ?? offer.key);
    const mid = mids.get(offer.mid);
    if (routes.has(offer.key)) problems.push(`${path}.key: "${offer.key}" stands twice.`);
    if (method === undefined)
      problems.push(`${path}: no installed connector serves the method "${offer.method ?? offer.key}".`);
    // One that is there and cannot be used has been complained about already.
    if (!named.has(offer.mid)) problems.push(`${path}.mid: there is no MID "${offer.mid}".`);
    if (method === undefined || mid === undefined) continue;
    if (!mid.connector.serves.some((served) => served.method === method))
      problems.push(`${path}.mid: the connector of "${mid.id}" does not serve "${method.key}".`);
    routes.set(offer.key, { key: offer.key, method, mid });
    profile.methods[offer.key] = profileOf(method, {
      values: mid.defaults[method.key] ?? {},
      ...(offer.required && { required: offer.required }),
      ...(offer.strict_documents !== undefined && { strict_documents: offer.strict_documents }),
    });
  }
  if (config.callbackUrl !== undefined && config.callbackSecret === undefined)
    problems.push(`merchants.${index}.callbackSecret: callbacks are signed with it; give one beside callbackUrl.`);
  return { config, profile, routes };
}
