import type { Connector } from '@railyard/core';
import { midValueIssues, type Registry } from '@railyard/core/registry';
import type { MidConfig } from '../deployment/catalogue-schema.ts';
import { problemsOf } from '../deployment/problems.ts';

/** A provider account ready for use. */
export interface Mid {
  readonly id: string;
  readonly connector: Connector;
  /** As the connector's schema read them. */
  readonly settings: unknown;
  readonly defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly config: MidConfig;
}

/** The MIDs that can be used, by id; what is wrong with the others is added to the problems. */
export function readMids(
  given: readonly MidConfig[],
  connectors: readonly Connector[],
  registry: Registry,
  problems: string[],
): ReadonlyMap<string, Mid> {
  const mids = new Map<string, Mid>();
  for (const [index, mid] of given.entries()) {
    if (mids.has(mid.id))
      problems.push(`mids.${index}.id: duplicate id "${mid.id}". Give each account an id of its own.`);
    const ready = readyMid(mid, index, connectors, problems);
    const { serves = [] } = connectors.find((each) => each.id === mid.connector) ?? {};
    problems.push(...methodProblems(mid, index, registry, serves));
    if (ready !== undefined) mids.set(mid.id, ready);
  }
  return mids;
}

function readyMid(
  config: MidConfig,
  index: number,
  connectors: readonly Connector[],
  problems: string[],
): Mid | undefined {
  const connector = connectors.find((each) => each.id === config.connector);
  if (connector === undefined) {
    problems.push(
      `mids.${index}.connector: no connector "${config.connector}" is installed. Installed: ${connectors.map((each) => each.id).join(', ')}.`,
    );
    return undefined;
  }
  const settings = connector.settings.safeParse(config.settings);
  if (!settings.success) {
    problems.push(...problemsOf(settings.error, `mids.${index}.settings.`));
    return undefined;
  }
  return { id: config.id, connector, settings: settings.data, defaults: config.defaults, config };
}

/** Values that no request could have sent would fail at a payer's payment; they fail at the start instead. */
function methodProblems(
  { defaults, limits }: MidConfig,
  index: number,
  registry: Registry,
  serves: Connector['serves'],
): string[] {
  const unknown = (path: string) => `${path}: no installed connector serves this method.`;
  const wrongValues = Object.entries(defaults).flatMap(([key, values]) => {
    const path = `mids.${index}.defaults.${key}`;
    const method = registry.find(key);
    if (method === undefined) return [unknown(path)];
    const texts = serves.find((served) => served.method === method)?.flows.texts;
    return midValueIssues(method, values, texts).map((each) => `${path}.${each.path}: ${each.message}`);
  });
  const strangers = Object.keys(limits).filter((key) => registry.find(key) === undefined);
  return [...wrongValues, ...strangers.map((key) => unknown(`mids.${index}.limits.${key}`))];
}
