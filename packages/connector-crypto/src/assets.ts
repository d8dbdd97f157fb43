import { currencies } from '@railyard/core';
import type { NetworkName } from './networks.ts';

/**
 * The assets whose addresses can be checked, and the networks they are received on; the first one unless something else is said.
 * An address of any other asset could not be checked, so none is ever shown.
 */
const NETWORKS_OF: ReadonlyMap<string, readonly [NetworkName, ...NetworkName[]]> = new Map([
  ['BTC', ['bitcoin']],
  ['BCH', ['bitcoin-cash']],
  ['ETH', ['eth']],
  // Two networks: see `network_type` (2-methods.md, Crypto wallet).
  ['USDT', ['eth', 'tron']],
  ['TRX', ['tron']],
  ['BNB', ['bsc']],
  ['POL', ['polygon']],
  ['USDC', ['eth']],
  ['DAI', ['eth']],
  ['EURC', ['eth']],
  ['LINK', ['eth']],
  ['PYUSD', ['eth']],
  ['SHIB', ['eth']],
  ['UNI', ['eth']],
  ['WBTC', ['eth']],
]);

/** Tickers of the assets that can be received. */
export const assets: readonly string[] = [...NETWORKS_OF.keys()];

/** Networks of an asset; nothing where its addresses cannot be checked. */
export const networksOf = (asset: string): readonly [NetworkName, ...NetworkName[]] | undefined =>
  NETWORKS_OF.get(asset);

/** Coins that have a newer form of address (2-methods.md, Crypto wallet, `bech32`). */
const NEWER_FORMS: ReadonlySet<string> = new Set(['BTC', 'BCH']);

export const hasNewerForm = (asset: string): boolean => NEWER_FORMS.has(asset);

const codes = (kind: 'fiat' | 'crypto') =>
  [...currencies.values()].filter((each) => each.kind === kind).map(({ code }) => code);

export const fiatCurrencies: readonly string[] = codes('fiat');
const coins: ReadonlySet<string> = new Set(codes('crypto'));

/** Whether a currency is a crypto asset. */
export const isCoin = (currency: string): boolean => coins.has(currency);
