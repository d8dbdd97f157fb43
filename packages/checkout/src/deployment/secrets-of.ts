import type { Connector, DigitalWallet } from '@railyard/core';
import { fieldInfo } from '@railyard/core/registry';
import { isSecretSetting } from '@railyard/runtime';
import type { MerchantConfig, MidConfig } from './catalogue-schema.ts';
import type { ParsedConfig } from './config.ts';

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

/** The settings that a wallet marks as secret; of one that is not installed all of them. */
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
