import type { Connector, DigitalWallet, Method } from '@railyard/core';
import {
  english,
  inLanguage,
  midValueIssues,
  profileOf,
  requiredIssues,
  type MethodProfile,
  type Profile,
  type Registry,
} from '@railyard/core/registry';
import { problemsOf, type MerchantConfig, type MethodConfig, type MidConfig } from '../deployment/catalogue.ts';
import { ALL_BRANDS, LOCAL_BRANDS } from '../rules/browser/card-rules.js';

interface Known {
  readonly registry: Registry;
  readonly mids: ReadonlyMap<string, Mid>;
  /** Those too that are there and cannot be used, which has been complained about already. */
  readonly named: ReadonlySet<string>;
  readonly problems: string[];
  readonly sameNames: string[];
}

/** A method of a merchant, with the accounts that serve it. */
interface Offer {
  readonly method: Method;
  readonly methodConfig: MethodConfig;
  readonly mids: readonly Mid[];
}

/** The profiles of a merchant's live key and test key. */
export function methodConfigsOf(
  config: MerchantConfig,
  index: number,
  known: Known,
): { readonly live: Profile; readonly test: Profile } {
  const methodConfigs = new Map<string, Offer>();
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
  known.sameNames.push(...nameProblems([...methodConfigs.values()], config, index));
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
 * A test key never leads to a live MID where there is one for tests. Otherwise it leads to the MIDs that are for both, whose
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

/** A path that changes nothing is a mistake: the merchant's orders would go on without the intended rule. */
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

/** Payers tell the methods of a list apart by their titles. */
function nameProblems(offers: readonly Offer[], { methods }: MerchantConfig, index: number): string[] {
  return offers.flatMap((offer, at) => {
    const before = offers.slice(0, at).find((other) => readTheSame(other, offer) && canMeet(other, offer));
    if (before === undefined) return [];
    const path = ({ methodConfig }: Offer) => `merchants.${index}.methods.${methods.indexOf(methodConfig)}`;
    const { key, title = offer.method.title } = offer.methodConfig;
    return [
      `${path(offer)}.title: payers would read "${english(title)}" twice, for "${key}" and for "${before.methodConfig.key}" at ${path(before)}. Give one of the two a title of its own.`,
    ];
  });
}

/** Whether two titles are one name to a payer in some language. Subtitles do not count: sentences name a method by its title. */
function readTheSame(...offers: readonly [Offer, Offer]): boolean {
  const titles = offers.map(({ method, methodConfig }) => namesOf(method, methodConfig).title);
  const languages = titles.flatMap((title) => (typeof title === 'string' ? [] : Object.keys(title)));
  return ['en', ...languages].some((language) => {
    const [one, other] = titles.map((title) => asRead(inLanguage(title, language)));
    return one === other;
  });
}

const asRead = (text: string): string => text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** The names that payers read: the merchant's own, else those of the method. */
export const namesOf = (
  { title, subtitle }: Pick<Method, 'title' | 'subtitle'>,
  { title: own }: Pick<MethodConfig, 'title'> = {},
): Pick<Method, 'title' | 'subtitle'> =>
  own === undefined ? { title, ...(subtitle !== undefined && { subtitle }) } : { title: own };

/**
 * Whether one session can offer both: by the live key or by the test key, for one operation, in one currency. Countries keep none apart,
 * because a session without a country lists the methods of all.
 */
const canMeet = (one: Offer, other: Offer): boolean =>
  [false, true].some((test) =>
    midsFor(test, one.mids).some((mid) =>
      midsFor(test, other.mids).some(
        (otherMid) =>
          share(operationsOf(one, mid), operationsOf(other, otherMid)) &&
          share(currenciesOf(one, mid), currenciesOf(other, otherMid)),
      ),
    ),
  );

/** The operations that an account takes; a sale and an authorization count as two. */
function operationsOf({ method: { operations } }: Offer, { config: { mode } }: Mid): readonly string[] {
  return Object.keys(operations).flatMap((operation) =>
    operation === 'purchase' ? mode.split('/').map((each) => `purchase ${each}`) : [operation],
  );
}

/** `undefined`: any currency. */
function currenciesOf({ method }: Offer, { config }: Mid): readonly string[] | undefined {
  const { currencies = method.currencies } = config;
  return currencies?.filter((each) => method.currencies?.includes(each) ?? true);
}

const share = (one: readonly string[] | undefined, other: readonly string[] | undefined): boolean =>
  one === undefined || other === undefined || one.some((each) => other.includes(each));

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

/** A provider account ready for use. */
export interface Mid {
  readonly id: string;
  readonly connector: Connector;
  /** As the connector's schema read them. */
  readonly settings: unknown;
  readonly defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly config: MidConfig;
}

/** The usable MIDs, by id. Errors of the others are added to the problems. */
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
    problems.push(...methodProblems(mid, index, registry, serves), ...brandProblems(mid, index, serves));
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

/** Networks that no number of the account could be paid by, and those that the page does not know. */
function brandProblems({ cardBrands = [] }: MidConfig, index: number, serves: Connector['serves']): string[] {
  const named = serves.flatMap(({ flows }) => flows.cardBrands ?? []);
  const isUseless =
    cardBrands.length > 0 && cardBrands.every((name) => LOCAL_BRANDS.includes(name) && !named.includes(name));
  return [
    ...named
      .filter((name) => !ALL_BRANDS.includes(name))
      .map(
        (name) =>
          `mids.${index}.connector: the connector declares the card network "${name}", which the page does not know. Correct cardBrands of its flows.`,
      ),
    ...(isUseless
      ? [
          `mids.${index}.cardBrands: the connector cannot name ${cardBrands.join(' or ')} to its provider. Add a network that card numbers show.`,
        ]
      : []),
  ];
}

/** A digital wallet of a merchant, with its settings as the wallet's schema read them. */
export interface MerchantWallet {
  readonly wallet: DigitalWallet;
  readonly settings: unknown;
}

interface KnownWallets {
  readonly registry: Registry;
  readonly installed: readonly DigitalWallet[];
  readonly problems: string[];
}

/** The usable wallets of a merchant, by method. Errors of the others are added to the problems. */
export function readWallets(
  config: MerchantConfig,
  index: number,
  { registry, installed, problems }: KnownWallets,
): ReadonlyMap<string, MerchantWallet> {
  const path = `merchants.${index}.wallets`;
  const read = Object.entries(config.wallets).flatMap(([method, given]): [string, MerchantWallet][] => {
    const wallet = installed.find((each) => each.method === method);
    if (wallet === undefined) {
      problems.push(`${path}.${method}: no such wallet is installed. Give it under "wallets" of the configuration.`);
      return [];
    }
    const settings = wallet.settings.safeParse(given);
    if (!settings.success) {
      problems.push(...problemsOf(settings.error, `${path}.${method}.`));
      return [];
    }
    const wrong = wallet.check(settings.data).problems;
    problems.push(...wrong.map((each) => `${path}.${method}.${each.path}: ${each.message}`));
    return [[method, { wallet, settings: settings.data }]];
  });
  for (const { key, method = key } of config.methods)
    if (registry.find(method)?.operations.purchase?.wallet === true && !Object.hasOwn(config.wallets, method))
      problems.push(`${path}.${method}: the method is offered, so give the wallet's settings.`);
  return new Map(read);
}
