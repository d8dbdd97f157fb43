import { type Condition, field, flag, type FieldInfo, type Rule, text, TEXTS } from '@railyard/core';
import * as z from 'zod';
import { assets, fiatCurrencies, hasNewerForm, isCoin } from './assets.ts';

/**
 * The coin that the payer sends, by its ticker; where the order is in a coin, clients also send a category (reference: methods
 * catalogue, A12).
 */
export const cryptoType = (info: Partial<FieldInfo> = {}) =>
  field(text({ max: 50, pattern: /^[A-Za-z0-9][A-Za-z0-9 _-]*$/ }), {
    label: 'Coin',
    help: 'Ticker of the asset that the payer sends. An order in a coin is paid in that coin; this may then be its category.',
    example: 'BTC',
    ...info,
  });

/** The order names no coin by itself. */
export const FIAT_ORDER: Condition = {
  any: [{ path: 'order.currency', in: fiatCurrencies }],
  says: 'order.currency is fiat',
};

const USDT: Condition = {
  any: [
    { path: 'parameters.crypto_type', in: ['USDT'] },
    { path: 'order.currency', in: ['USDT'] },
  ],
  says: 'USDT',
};

/** Only for USDT (2-methods.md, Crypto wallet). */
export const networkType = () =>
  field(z.enum(['eth', 'tron']), { label: 'Network of USDT', help: '`eth` unless given.', only: USDT }).optional();

export const bech32 = () =>
  field(flag(), {
    label: 'Newer form of address',
    help: 'A segwit address of BTC, a cash address of BCH.',
    input: 'checkbox',
  }).optional();

/** It may also stand at the top level of the session; here it goes first. */
export const accountId = () =>
  field(text({ max: 255 }), { label: 'Account to transact for', sources: ['mid'] }).optional();

/** Fields of the session that the crypto methods read beside their parameters. */
export const sessionNeeds = {
  accountId: field(text({ max: 255 }), { label: 'Account to transact for' }).optional(),
  'crypto.network': field(text({ max: 50 }), { label: 'Network shown to the payer' }).optional(),
};

/** Where the order is in a coin, its ticker; else nothing. */
const coinOf = (currency: string | undefined) => (currency !== undefined && isCoin(currency) ? currency : undefined);

/** An order in one coin is not paid in another, that would be a conversion; an order in fiat needs a coin whose addresses are known. */
const typeNamesACoin: Rule = {
  paths: ['crypto_type'],
  level: 'error',
  says: `Where order.currency is fiat, crypto_type is one of ${assets.join(', ')}. Where it is a coin, crypto_type is no other coin.`,
  check: ({ crypto_type: type }, { currency }) => {
    const coin = coinOf(currency);
    const fits = coin === undefined ? assets.includes(String(type)) : !isCoin(String(type)) || type === coin;
    return fits ? undefined : { path: 'crypto_type', message: TEXTS.choice };
  },
};

const noEffect = (asset: string, asked: unknown) =>
  asked === true && !hasNewerForm(asset)
    ? { path: 'bech32', message: `This value has no effect with ${asset}.` }
    : undefined;

const bech32HasEffect: Rule = {
  paths: ['bech32', 'crypto_type'],
  level: 'warning',
  says: 'Of an order in fiat, bech32 has an effect where crypto_type is BTC or BCH.',
  check: ({ bech32: asked, crypto_type: type }, { currency }) =>
    coinOf(currency) === undefined ? noEffect(String(type), asked) : undefined,
};

const bech32HasEffectOnOrder: Rule = {
  ...bech32HasEffect,
  paths: ['bech32'],
  says: 'Of an order in a coin, bech32 has an effect where order.currency is BTC or BCH.',
  check: ({ bech32: asked }, { currency }) => {
    const coin = coinOf(currency);
    return coin === undefined ? undefined : noEffect(coin, asked);
  },
};

const ALLOWED = 'allowed_currencies';

/** The account's list of coins. */
export const allowedCurrencies = () => ({
  [ALLOWED]: field(z.array(z.string().regex(/^[A-Z0-9]{2,10}$/)).min(1), {
    label: 'Coins that the account takes',
    help: 'All unless given. Only the account says it.',
    sources: ['mid'],
    request: false,
  }).optional(),
});

const isBarred = (allowed: unknown, asset: unknown) => Array.isArray(allowed) && !allowed.includes(asset);

/** @param name the parameter that names the coin */
export const coinIsAllowed = (name: string): Rule => ({
  paths: [name, ALLOWED],
  level: 'error',
  says: `${name} is one of the coins that the account takes.`,
  check: ({ [name]: asset, [ALLOWED]: allowed }) =>
    isBarred(allowed, asset) ? { path: name, message: TEXTS.choice } : undefined,
});

const typeIsAllowed: Rule = {
  ...coinIsAllowed('crypto_type'),
  says: 'Of an order in fiat, crypto_type is one of the coins that the account takes.',
  check: ({ crypto_type: asset, [ALLOWED]: allowed }, { currency }) =>
    coinOf(currency) === undefined && isBarred(allowed, asset)
      ? { path: 'crypto_type', message: TEXTS.choice }
      : undefined,
};

const orderIsAllowed: Rule = {
  paths: [ALLOWED],
  level: 'error',
  says: 'Of an order in a coin, order.currency is one of the coins that the account takes.',
  check: ({ [ALLOWED]: allowed }, { currency }) => {
    const coin = coinOf(currency);
    return coin !== undefined && isBarred(allowed, coin)
      ? { of: 'session', path: 'order.currency', message: TEXTS.choice }
      : undefined;
  },
};

/** The rules of methods that show an address. */
export const receiveRules: readonly Rule[] = [
  typeNamesACoin,
  typeIsAllowed,
  orderIsAllowed,
  bech32HasEffect,
  bech32HasEffectOnOrder,
];

/** Ticker of a coin at a provider; an open list (reference: methods catalogue, A16). */
export const ticker = (info: FieldInfo) =>
  field(text({ max: 10, pattern: /^[A-Z0-9]{2,10}$/ }), { example: 'BTC', ...info });
