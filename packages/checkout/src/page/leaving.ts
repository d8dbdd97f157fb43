import { parseMoney, type Show } from '@railyard/core';

/** Schemes that would run or show something in the page's own name instead of leaving it. */
const HOSTILE = new Set([
  'javascript:',
  'data:',
  'blob:',
  'file:',
  'filesystem:',
  'about:',
  'vbscript:',
  'view-source:',
]);

/**
 * An address that the payer may be sent to, normalised, or `undefined` where it is none. Connectors and sessions were checked
 * before; this is the second wall, because an address becomes a link here.
 *
 * @param apps also the addresses that open an app, such as `upi://pay`
 */
export function leavingAddress(text: string, apps = false): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  if (protocol === 'https:' || protocol === 'http:') return href;
  return apps && !HOSTILE.has(protocol) ? href : undefined;
}

/** Bitcoin's test networks have addresses of their own. */
const isTestBitcoin = (address: string): boolean => /^(?:tb1|bcrt1|[mn2])/i.test(address);

/**
 * The code as the address of an app that pays: on the phone that shows it, a link opens the app. Nothing for Ethereum, where an address
 * without its chain loses the money, and nothing on Bitcoin's main chain for a test.
 */
export function appAddress(code: string, test: boolean): string | undefined {
  const [, scheme = '', rest = ''] = /^(upi|lightning|bitcoin):(.*)$/is.exec(code) ?? [];
  if (scheme === '' || (test && scheme.toLowerCase() === 'bitcoin' && !isTestBitcoin(rest))) return undefined;
  return code;
}

/**
 * The address that opens a wallet with the amount filled in: BIP-21 and, for the coin of Ethereum, EIP-681. Nothing for any other coin or
 * network, and nothing on a main chain for a test.
 *
 * @example walletUri({ address: '0x5aAe…', asset: 'ETH', network: 'Ethereum', amount: '0.5' }, false) // 'ethereum:0x5aAe…@1?value=500000000000000000'
 */
export function walletUri(
  {
    address,
    asset,
    network = '',
    amount,
  }: Pick<Extract<Show, { kind: 'address' }>, 'address' | 'asset' | 'network' | 'amount'>,
  test: boolean,
): string | undefined {
  if (!/^[0-9A-Za-z]+$/.test(address)) return undefined;
  const parsed = amount === undefined ? undefined : parseMoney(amount, asset);
  if (parsed?.ok === false) return undefined;
  if (asset === 'BTC' && /^bitcoin$/i.test(network) && (!test || isTestBitcoin(address)))
    return `bitcoin:${address}${amount === undefined ? '' : `?amount=${amount}`}`;
  if (asset !== 'ETH' || test || !/^ethereum(?: \(ERC-?20\))?$/i.test(network)) return undefined;
  return `ethereum:${address}@1${parsed === undefined ? '' : `?value=${parsed.money.minor}`}`;
}

/** An address with more fields in its query. A form with `method="get"` would drop the query that is already there. */
export function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
