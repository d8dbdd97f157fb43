import type { Connector, DigitalWallet } from '@railyard/core';
import { fieldInfo } from '@railyard/core/registry';
import { isReference, isSecretSetting } from '@railyard/runtime';
import type { GivenCatalogue, MerchantConfig, MidConfig } from './catalogue.ts';
import type { ParsedConfig } from './config.ts';
import * as z from 'zod';

/** Every secret of a configuration, so that the log can leave them out wherever they turn up. */
export function secretsOf(config: ParsedConfig): string[] {
  const { databaseUrl, encryptionKey } = config;
  const ofDatabase = databaseUrl === undefined ? [] : [databaseUrl, decodeURIComponent(new URL(databaseUrl).password)];
  return [...encryptionKey, ...ofDatabase, ...secretsOfCatalogue(config)];
}

/** Passwords and callback secrets of merchants, and the settings of MIDs that their connector marks as secret. */
export function secretsOfCatalogue({
  merchants,
  mids,
  connectors,
  wallets,
}: {
  readonly merchants: readonly MerchantConfig[];
  readonly mids: readonly MidConfig[];
  readonly connectors: readonly Connector[];
  readonly wallets: readonly DigitalWallet[];
}): string[] {
  return [
    ...merchants.flatMap((merchant) => [merchant, merchant.test ?? []].flat().flatMap(secretsOfMerchant)),
    ...merchants.flatMap((merchant) => secretsOfWallets(merchant, wallets)),
    ...mids.flatMap((mid) => {
      const connector = connectors.find(({ id }) => id === mid.connector);
      return textsOf(mid.settings).flatMap(([place, text]) =>
        connector === undefined || isSecretSetting(connector, place) ? [text] : [],
      );
    }),
  ];
}

const secretsOfMerchant = ({
  password,
  callbackSecret = [],
  requestKeys,
}: Pick<MerchantConfig, 'password' | 'callbackSecret' | 'requestKeys'>): string[] => [
  ...[password, callbackSecret].flat(),
  ...requestKeys.flatMap(({ secret }) => secret),
];

/** The settings that a wallet marks as secret; all settings of a wallet that is not installed. */
function secretsOfWallets({ wallets: given }: MerchantConfig, installed: readonly DigitalWallet[]): string[] {
  return Object.entries(given).flatMap(([method, settings]) => {
    const shape = installed.find((each) => each.method === method)?.settings.shape;
    return Object.entries(settings).flatMap(([name, value]) => {
      const schema = shape?.[name];
      const isOpen = schema !== undefined && fieldInfo(schema, name).secret !== true;
      return isOpen ? [] : textsOf(value).map(([, text]) => text);
    });
  });
}

function textsOf(value: unknown, place = ''): [place: string, text: string][] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, place === '' ? name : `${place}.${name}`));
}

/** Merchants and MIDs as they are stored, and dropped ones. */
export interface SplitCatalogue extends GivenCatalogue {
  readonly retired: GivenCatalogue;
}

type Path = readonly (string | number)[];

const secretsSchema = z.array(z.tuple([z.array(z.union([z.string(), z.number()])), z.unknown()]));

/** The placeholder for a secret that was taken out of the readable part. */
const SEALED = '(sealed)';

/**
 * Takes the secrets out of a catalogue: passwords, callback secrets, settings of wallets, what MIDs supply for methods, and the settings of MIDs that
 * are not known to be public. A reference is no secret.
 *
 * @returns the readable part, and the secrets, as JSON
 */
export function splitSecrets(kept: SplitCatalogue, connectors: readonly Connector[]): { open: string; secret: string } {
  const open: SplitCatalogue = structuredClone(kept);
  const secrets: [Path, unknown][] = [];
  const take = (path: Path) => {
    const value = valueAt(open, path);
    if (value === undefined || hasOnlyReferences(value)) return;
    secrets.push([path, value]);
    put(open, path, SEALED);
  };
  for (const path of [...secretPaths(kept, [], connectors), ...secretPaths(kept.retired, ['retired'], connectors)])
    take(path);
  return { open: JSON.stringify(open), secret: JSON.stringify(secrets) };
}

/** Puts together what `splitSecrets` took apart. */
export function joinSecrets(open: string, secret: string): SplitCatalogue {
  const kept: SplitCatalogue = JSON.parse(open);
  for (const [path, value] of secretsSchema.parse(JSON.parse(secret))) put(kept, path, value);
  return kept;
}

function secretPaths({ mids, merchants }: GivenCatalogue, root: Path, connectors: readonly Connector[]): Path[] {
  const ofMids = mids.flatMap(({ connector: id, settings, defaults = {} }, index): Path[] => {
    const mid = [...root, 'mids', index];
    const connector = connectors.find((each) => each.id === id);
    const closed = Object.entries(settings).filter(([name, value]) => !isPublic(connector, name, value));
    const supplied = Object.entries(defaults).flatMap(([method, values]) =>
      Object.keys(values).map((name) => [...mid, 'defaults', method, name]),
    );
    return [...closed.map(([name]) => [...mid, 'settings', name]), ...supplied];
  });
  const ofMerchants = merchants.flatMap(({ wallets = {}, requestKeys = [], test }, index): Path[] => {
    const merchant = [...root, 'merchants', index];
    const ofWallets = Object.entries(wallets).flatMap(([method, settings]) =>
      Object.keys(settings).map((name) => [...merchant, 'wallets', method, name]),
    );
    const own = secretsAt(merchant, requestKeys);
    return [
      ...own,
      ...(test === undefined ? [] : secretsAt([...merchant, 'test'], test.requestKeys ?? [])),
      ...ofWallets,
    ];
  });
  return [...ofMids, ...ofMerchants];
}

/** Those of a merchant, or of its test key. */
const secretsAt = (place: Path, requestKeys: readonly unknown[]): Path[] => [
  ...['password', 'callbackSecret'].map((name) => [...place, name]),
  ...requestKeys.map((_key, index) => [...place, 'requestKeys', index, 'secret']),
];

/** A setting that the connector names, does not mark as secret and that holds no password in an address. */
function isPublic(connector: Connector | undefined, name: string, value: unknown): boolean {
  const schema = connector?.settings;
  const field = schema instanceof z.ZodObject && Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  if (field === undefined || fieldInfo(field, name).secret === true) return false;
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'string' && !/^[a-z][a-z0-9+.-]*:\/\/[^/]*@/i.test(value);
}

const hasOnlyReferences = (value: unknown): boolean => [value].flat().every(isReference);

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, name) => (isContainer(at) ? Reflect.get(at, name) : undefined), root);
}

function put(root: unknown, path: Path, value: unknown): void {
  const parent = valueAt(root, path.slice(0, -1));
  const name = path.at(-1);
  if (isContainer(parent) && name !== undefined && Object.hasOwn(parent, name)) Reflect.set(parent, name, value);
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
