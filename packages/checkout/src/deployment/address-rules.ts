import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where callbacks may go: to public addresses only, or anywhere. */
export type CallbackNetwork = 'public' | 'any';

/** IPv6 addresses that are given out for use in the internet; the rest of the space is not, whatever stands in it (RFC 4291, 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

const LIVE_PORTS = new Set(['', '443', '8443']);

/**
 * Whether an address belongs to the internet: not private, loopback, link-local, shared, multicast, reserved or unspecified, and not one that
 * carries an IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo), because what is inside decides where it leads.
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
