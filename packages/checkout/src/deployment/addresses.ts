import { BlockList, SocketAddress, isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where callbacks may go: to public addresses only, or anywhere. */
export type CallbackNetwork = 'public' | 'any';

/** IPv6 addresses that are given out for use in the internet; no other part of the space is (RFC 4291, 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

const LIVE_PORTS = new Set(['', '443', '8443']);

/**
 * Whether an address belongs to the internet: not private, loopback, link-local, shared, multicast, reserved or unspecified, and not an address that
 * carries an IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo), because the inner address decides where it leads.
 *
 * @param address as the resolver or the socket gives it
 */
export function isPublicAddress(address: string): boolean {
  // The library would also read short spellings such as 127.1, which no resolver or socket gives.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/**
 * The problem with an address for callbacks; undefined when there is none. The name is not resolved: its addresses are checked
 * when the connection is made.
 */
export function addressProblem(url: string, network: CallbackNetwork): string | undefined {
  if (!URL.canParse(url)) return 'This is not an address.';
  // The platform's parser corrects `https:/\host` and drops tabs; an address that needs correction is probably a mistake.
  if (!/^https?:\/\/[^/\\\s]/i.test(url) || /[\\\s]/.test(url)) return 'Use an address that begins with https://.';
  const { protocol, port, username, password, hostname } = new URL(url);
  if (username !== '' || password !== '') return 'Leave user name and password out of the address.';
  if (network === 'any') return undefined;
  if (protocol !== 'https:') return 'Use https; "callbackNetwork": "any" allows http, for trials.';
  if (!LIVE_PORTS.has(port)) return 'Use the port 443 or 8443; "callbackNetwork": "any" allows others, for trials.';
  const literal = hostname.replace(/^\[|\]$/g, '');
  if ((isIP(literal) !== 0 && !isPublicAddress(literal)) || isLocalName(hostname))
    return 'This address is not in the internet; "callbackNetwork": "any" allows it, for trials.';
  return undefined;
}

/** Names that never lead into the internet (RFC 6761, RFC 9476; `.local` is multicast DNS, RFC 6762). */
function isLocalName(hostname: string): boolean {
  return /(^|\.)(localhost|local|internal)\.?$/i.test(hostname);
}

/** Which addresses may say, in `X-Forwarded-For`, whom they pass on. */
export type TrustedProxies = (address: string) => boolean;

/**
 * @param ranges addresses and CIDR ranges: `10.0.0.0/8`, `::1`
 * @throws Error for a text that is none
 */
export function trustedProxies(ranges: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits, ...more] = range.split('/');
    const family = familyOf(address);
    const longest = family === 'ipv4' ? 32 : 128;
    const length = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (family === undefined || more.length > 0 || length < 0 || length > longest)
      throw new Error(`"${range}" is no address and no CIDR range.`);
    list.addSubnet(address, length, family);
  }
  if (ranges.length === 0) return () => false;
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
}

/** Whether this is an address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  try {
    trustedProxies([text]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Where a request came from. A header says so only where a trusted proxy wrote it: the list is read from its end, as long as
 * the address there is trusted, so that no address that a client writes counts.
 */
export function clientAddress(remote: string, forwarded: string | undefined, trusted: TrustedProxies): string {
  let address = plain(remote);
  if (forwarded === undefined) return address;
  for (const each of forwarded.split(',').toReversed()) {
    const next = plain(withoutPort(each.trim()));
    if (!trusted(address) || isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** Some proxies write the port, too: `203.0.113.7:4711`, `[2001:db8::1]:443` (RFC 7239, 6, has the same forms). */
function withoutPort(entry: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? [];
  return ipv6 ?? ipv4 ?? entry;
}

const MAPPED = '::ffff:';

/** An IPv4 address in IPv6 notation, as sockets show it (`::ffff:203.0.113.7`) or in hex (`::ffff:cb00:7107`), is an IPv4 address. */
function plain(address: string): string {
  // One with a zone (`fe80::1%eth0`) is of a link, and never mapped.
  if (!isIPv6(address) || address.includes('%')) return address;
  const { address: written } = new SocketAddress({ address, family: 'ipv6' });
  const mapped = written.slice(MAPPED.length);
  return written.startsWith(MAPPED) && isIPv4(mapped) ? mapped : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}
