import { checkBitcoinAddress } from '@railyard/identifiers/bitcoin-address';
import { checkBitcoinCashAddress } from '@railyard/identifiers/bitcoin-cash-address';
import { checkEvmAddress } from '@railyard/identifiers/evm-address';
import { checkTronAddress } from '@railyard/identifiers/tron-address';
import { networksOf } from './assets.ts';
import { type AddressFamily, type NetworkName, networks } from './networks.ts';

/** An address that passed the check. */
export interface FoundAddress {
  readonly ok: true;
  /** As it is shown and sent: the family's usual form. */
  readonly address: string;
  /** The first of the asset's networks whose addresses look like this. */
  readonly network: NetworkName;
  /** `true`: of a test network. The text of an EVM or TRON address does not show it. */
  readonly test: boolean;
  /** `true`: the newer form, which `bech32` asks for. */
  readonly bech32: boolean;
}

export type AddressCheck =
  | FoundAddress
  | { readonly ok: false; readonly why: string }
  /** Nothing is known of the asset's addresses. */
  | 'unknown-asset';

type Read = Pick<FoundAddress, 'address' | 'test' | 'bech32'> | undefined;

const READERS: Readonly<Record<AddressFamily, (text: string) => Read>> = {
  bitcoin(text) {
    const read = checkBitcoinAddress(text);
    return read.ok
      ? { address: read.address, test: read.network === 'test', bech32: read.kind === 'segwit' }
      : undefined;
  },
  'bitcoin-cash'(text) {
    const read = checkBitcoinCashAddress(text);
    return read.ok ? { address: read.address, test: read.network === 'test', bech32: read.form === 'cash' } : undefined;
  },
  evm(text) {
    const read = checkEvmAddress(text);
    return read.ok ? { address: read.address, test: false, bech32: false } : undefined;
  },
  tron(text) {
    const read = checkTronAddress(text);
    return read.ok ? { address: read.address, test: false, bech32: false } : undefined;
  },
};

/**
 * Whether a text is an address of the asset, on the network if one is named: what is sent to an address of another family is lost.
 *
 * @example checkAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'USDT', 'eth') // { ok: false, why: 'it is no address of Ethereum (ERC20)' }
 */
export function checkAddress(text: string, asset: string, on?: NetworkName): AddressCheck {
  const known = networksOf(asset);
  if (known === undefined) return 'unknown-asset';
  const wanted = on === undefined ? known : known.filter((network) => network === on);
  for (const network of wanted) {
    const read = READERS[networks[network].family](text);
    if (read !== undefined) return { ok: true, network, ...read };
  }
  const named = on === undefined ? asset : networks[on].label;
  return { ok: false, why: `it is no address of ${named}` };
}
