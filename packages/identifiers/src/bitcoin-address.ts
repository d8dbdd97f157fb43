import { readBase58Address } from './crypto/base58-check.ts';
import { type AddressFailure, type ChainNetwork, refused } from './crypto/result.ts';
import { readSegwit } from './crypto/segwit.ts';

export type { AddressFailure, AddressFault, ChainNetwork } from './crypto/result.ts';

/** `key` and `script` are written in base58; `segwit` in bech32, or from its version 1 (taproot) on in bech32m. */
export interface BitcoinAddress {
  readonly ok: true;
  readonly network: ChainNetwork;
  readonly kind: 'key' | 'script' | 'segwit';
  /** As given; a segwit address in lower case. */
  readonly address: string;
}

const SEGWIT_PREFIXES: ReadonlyMap<string, ChainNetwork> = new Map([
  ['bc', 'main'],
  ['tb', 'test'],
]);

type Version = Pick<BitcoinAddress, 'network' | 'kind'>;

/** Bitcoin Cash kept these for its legacy addresses. */
export const base58Versions: ReadonlyMap<number, Version> = new Map<number, Version>([
  [0x00, { network: 'main', kind: 'key' }],
  [0x05, { network: 'main', kind: 'script' }],
  [0x6f, { network: 'test', kind: 'key' }],
  [0xc4, { network: 'test', kind: 'script' }],
]);

/**
 * Checks a Bitcoin address: base58check, bech32 (segwit version 0) and bech32m (later versions), each with its checksum.
 *
 * @example checkBitcoinAddress('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa') // { ok: true, network: 'main', kind: 'key', address: '1A1z…' }
 * @example checkBitcoinAddress('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb') // { ok: false, reason: 'checksum' }
 */
export function checkBitcoinAddress(text: string): BitcoinAddress | AddressFailure {
  return /^(bc|tb)1/i.test(text) ? segwitAddress(text) : base58BitcoinAddress(text);
}

function segwitAddress(text: string): BitcoinAddress | AddressFailure {
  const read = readSegwit(text);
  if (!read.ok) return read;
  const network = SEGWIT_PREFIXES.get(read.prefix);
  return network === undefined ? refused('format') : { ok: true, network, kind: 'segwit', address: text.toLowerCase() };
}

/** The form that Bitcoin and Bitcoin Cash share. */
export function base58BitcoinAddress(text: string): BitcoinAddress | AddressFailure {
  const read = readBase58Address(text);
  if (!read.ok) return read;
  const version = base58Versions.get(read.version);
  return version === undefined ? refused('format') : { ok: true, ...version, address: text };
}
