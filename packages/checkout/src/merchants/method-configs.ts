import type { Method } from '@railyard/core';
import { type MethodProfile, type Profile, profileOf, type Registry, requiredIssues } from '@railyard/core/registry';
import type { MerchantConfig, MethodConfig } from '../deployment/catalogue-schema.ts';
import type { Mid } from './mids.ts';

interface Known {
  readonly registry: Registry;
  readonly mids: ReadonlyMap<string, Mid>;
  /** Those too that are there and cannot be used, which has been complained about already. */
  readonly named: ReadonlySet<string>;
  readonly problems: string[];
}

/** The profiles of a merchant's live key and test key. */
export function methodConfigsOf(
  config: MerchantConfig,
  index: number,
  known: Known,
): { readonly live: Profile; readonly test: Profile } {
  const methodConfigs = new Map<string, { method: Method; methodConfig: MethodConfig; mids: readonly Mid[] }>();
  for (const [at, methodConfig] of config.methods.entries()) {
    const path = `merchants.${index}.methods.${at}`;
    if (methodConfigs.has(methodConfig.key))
      known.problems.push(
        `${path}.key: duplicate key "${methodConfig.key}". Give each method configuration a key of its own.`,
      );
    const method = known.registry.find(methodConfig.method ?? methodConfig.key);
    if (method === undefined)
      known.problems.push(
        `${path}: no installed connector serves the method "${methodConfig.method ?? methodConfig.key}".`,
      );
    if (method !== undefined) known.problems.push(...requiredProblems(path, method, methodConfig));
    const mids = [methodConfig.mid].flat().flatMap((id) => midOf(id, path, method, known));
    if (method !== undefined && mids.length > 0) methodConfigs.set(methodConfig.key, { method, methodConfig, mids });
  }
  known.problems.push(...ruleProblems(config, index, new Set(config.methods.map(({ key }) => key)), known.named));
  const profile = (test: boolean): Profile => {
    const entries = [...methodConfigs].flatMap(([key, { method, methodConfig, mids }]) => {
      const [first, ...more] = midsFor(test, mids).map((mid) => entryOf(method, methodConfig, mid));
      return first === undefined ? [] : [[key, { ...first, ...(more.length > 0 && { more }) }] as const];
    });
    const reached = entries.flatMap(([, entry]) => [entry, ...(entry.more ?? [])]);
    return {
      methods: Object.fromEntries(entries),
      channels: [...new Set(reached.flatMap(({ channels }) => channels ?? []))],
      ...(config.rules.length > 0 && { rules: config.rules }),
      ...(config.names === 'latin' && { names: config.names }),
    };
  };
  return { live: profile(false), test: profile(true) };
}

/**
 * A test key never leads to a live MID where there is one for tests. Where there is none it leads to those that are for both, whose
 * providers learn that it is a test.
 */
function midsFor(test: boolean, mids: readonly Mid[]): readonly Mid[] {
  if (!test) return mids.filter(({ config }) => config.test !== true);
  const own = mids.filter(({ config }) => config.test === true);
  return own.length > 0 ? own : mids.filter(({ config }) => config.test === undefined);
}

function midOf(id: string, path: string, method: Method | undefined, { mids, named, problems }: Known): Mid[] {
  const mid = mids.get(id);
  if (!named.has(id)) problems.push(`${path}.mid: there is no MID "${id}".`);
  if (method === undefined || mid === undefined) return [];
  if (!mid.connector.serves.some((served) => served.method === method))
    problems.push(`${path}.mid: the connector of "${id}" does not serve "${method.key}".`);
  return [mid];
}

/** A path that changes nothing is a slip of the pen, and the merchant's orders go on without what they were to have. */
function requiredProblems(path: string, method: Method, { required = [] }: MethodConfig): string[] {
  return requiredIssues(method, required).map((each) => `${path}.required.${each.path}: ${each.message}`);
}

function entryOf(method: Method, { required, strict_documents, limits }: MethodConfig, mid: Mid): MethodProfile {
  const { channels, mode, currencies, test } = mid.config;
  const texts = mid.connector.serves.find((served) => served.method === method)?.flows.texts;
  return profileOf(method, {
    mid: mid.id,
    values: mid.defaults[method.key] ?? {},
    ...(required && { required }),
    ...(strict_documents !== undefined && { strict_documents }),
    ...(texts && { texts }),
    limits: [...limits, ...(mid.config.limits[method.key] ?? [])],
    channels,
    mode,
    ...(currencies && { currencies }),
    ...(test !== undefined && { test }),
  });
}

function ruleProblems(
  { rules }: MerchantConfig,
  index: number,
  keys: ReadonlySet<string>,
  named: ReadonlySet<string>,
): string[] {
  return rules.flatMap(({ methods = [], mids = [] }, at) => {
    const path = `merchants.${index}.rules.${at}`;
    return [
      ...methods.filter((key) => !keys.has(key)).map((key) => `${path}.methods: the merchant does not offer "${key}".`),
      ...mids.filter((id) => !named.has(id)).map((id) => `${path}.mids: there is no MID "${id}".`),
    ];
  });
}
