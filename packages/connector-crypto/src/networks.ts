/** How the addresses of a network are written. */
export type AddressFamily = 'bitcoin' | 'bitcoin-cash' | 'evm' | 'tron';

interface Network {
  /** As the payer reads it. */
  readonly label: string;
  readonly family: AddressFamily;
  /** Its other names, in capitals without spaces and dashes (reference: crypto.network). */
  readonly names: readonly string[];
}

const NETWORKS = {
  bitcoin: { label: 'Bitcoin', family: 'bitcoin', names: ['BITCOIN', 'BTC'] },
  'bitcoin-cash': { label: 'Bitcoin Cash', family: 'bitcoin-cash', names: ['BITCOINCASH', 'BCH'] },
  eth: { label: 'Ethereum (ERC20)', family: 'evm', names: ['ETHEREUM', 'ETH', 'ERC20'] },
  tron: { label: 'TRON (TRC20)', family: 'tron', names: ['TRON', 'TRX', 'TRC20'] },
  bsc: { label: 'BNB Smart Chain (BEP20)', family: 'evm', names: ['BNBSMARTCHAIN', 'BSC', 'BEP20'] },
  polygon: { label: 'Polygon', family: 'evm', names: ['POLYGON', 'MATIC', 'POL'] },
} as const satisfies Readonly<Record<string, Network>>;

export type NetworkName = keyof typeof NETWORKS;

export const networks: Readonly<Record<NetworkName, Network>> = NETWORKS;

/** Networks of the reference's list (crypto.network) on which nothing is received here. */
const ELSEWHERE: ReadonlySet<string> = new Set(['BEP2', 'OMNI', 'SOLANA']);

const plain = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** The network that a text names, if any. */
export function networkNamed(text: string): NetworkName | undefined {
  return networkNames.find((name) => networks[name].names.includes(plain(text)));
}

/** Whether a text names a network on which nothing can be received: shown beside an address of another one it would be a lie. */
export const isElsewhere = (text: string | undefined): boolean => text !== undefined && ELSEWHERE.has(plain(text));

export const isNetwork = (text: string): text is NetworkName => Object.hasOwn(NETWORKS, text);

const networkNames = Object.keys(NETWORKS).filter(isNetwork);
