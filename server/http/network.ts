import { BlockList, isIPv6 } from 'node:net';

/** IPv4-mapped IPv6 addresses, which a socket that listens on IPv6 reports for IPv4 clients. */
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * The network that rate limits count as one client: an IPv4 address, or the first 64 bits of an IPv6 address, since one
 * client usually has all addresses of such a prefix.
 * @param address as Node reports it: IPv4, IPv6 in any notation, or IPv4-mapped IPv6
 * @returns such as `203.0.113.7` or `2001:db8:0:1::/64`; anything that is not an IPv6 address is returned unchanged
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (mapped.check(address, 'ipv6')) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // URL normalises the notation: no dots, and `::` for the longest run of zeros. It does not accept a zone.
  const host = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const read = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return read(head);
  const [left, right] = [read(head), read(tail)];
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
