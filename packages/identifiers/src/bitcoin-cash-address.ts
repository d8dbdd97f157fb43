import { base58BitcoinAddress } from './bitcoin-address.ts';
import { readCashText } from './crypto/cash-text.ts';
import { type AddressFailure, type ChainNetwork, refused } from './crypto/result.ts';

export type { AddressFailure, AddressFault, ChainNetwork } from './crypto/result.ts';

/** `cash`: the form of Bitcoin Cash. `legacy`: the one it inherited, from which a Bitcoin address cannot be distinguished. */
export interface BitcoinCashAddress {
  readonly ok: true;
  readonly network: ChainNetwork;
  readonly kind: 'key' | 'script';
  readonly form: 'cash' | 'legacy';
  /** A cash address in lower case with its prefix; a legacy one as given. */
  readonly address: string;
}

const PREFIXES: ReadonlyMap<string, ChainNetwork> = new Map([
  ['bitcoincash', 'main'],
  ['bchtest', 'test'],
]);

/** Hashes of a key have 20 bytes, those of a script 20 or 32. */
const SIZES: Readonly<Record<BitcoinCashAddress['kind'], readonly number[]>> = { key: [20], script: [20, 32] };

/**
 * Checks a Bitcoin Cash address: a cash address, with or without its prefix, or a legacy one.
 *
 * @example checkBitcoinCashAddress('qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a') // { ok: true, …, address: 'bitcoincash:qpm2…' }
 */
export function checkBitcoinCashAddress(text: string): BitcoinCashAddress | AddressFailure {
  if (text.includes(':')) return cashAddress(text);
  const legacy = base58BitcoinAddress(text);
  if (legacy.ok && legacy.kind !== 'segwit') return { ...legacy, kind: legacy.kind, form: 'legacy' };
  // Without a prefix the checksum shows which one is meant.
  const upper = text !== text.toLowerCase() && text === text.toUpperCase();
  const written = [...PREFIXES.keys()].map((prefix) => cashAddress(`${upper ? prefix.toUpperCase() : prefix}:${text}`));
  const cash = written.find((each) => each.ok) ?? written.find((each) => !each.ok && each.reason === 'checksum');
  return cash ?? legacyFault(legacy);
}

function legacyFault(legacy: ReturnType<typeof base58BitcoinAddress>): AddressFailure {
  return legacy.ok ? refused('format') : legacy;
}

function cashAddress(text: string): BitcoinCashAddress | AddressFailure {
  const read = readCashText(text);
  if (!read.ok) return read;
  const network = PREFIXES.get(read.prefix);
  const kind = (['key', 'script'] as const)[read.type];
  if (network === undefined || kind === undefined || !SIZES[kind].includes(read.hash.length)) return refused('format');
  return { ok: true, network, kind, form: 'cash', address: text.toLowerCase() };
}
