import { BlockList, isIP } from 'node:net';

/** Which addresses may say, in `X-Forwarded-For`, whom they pass on. */
export type TrustedProxies = (address: string) => boolean;

/**
 * @param ranges addresses and CIDR ranges: `10.0.0.0/8`, `::1`
 * @throws Error for what is none
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
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
}

/**
 * Where a request came from. A header says so only where a trusted proxy wrote it: the list is read from its end, as long as
 * what stands there is trusted, so that nothing a client writes counts.
 */
export function clientAddress(remote: string, forwarded: string | undefined, trusted: TrustedProxies): string {
  let address = plain(remote);
  for (const each of (forwarded ?? '').split(',').toReversed()) {
    const next = plain(each.trim());
    if (!trusted(address) || isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** An IPv4 address that a socket shows in IPv6 notation is an IPv4 address. */
const plain = (address: string) => (/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address);

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}
