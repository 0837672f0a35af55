import { BlockList, isIPv6 } from 'node:net';

/** IPv4 addresses as a socket that listens on IPv6 reports them. */
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * The network that counts as one visitor: an IPv4 address as a whole, of an IPv6 address the first 64 bits, since whoever
 * has one usually has all the others behind them.
 * @param address a network address as Node reports it: IPv4, IPv6 in any notation, or IPv4 within IPv6
 * @returns `203.0.113.7`, or `2001:db8:0:1::/64`; anything that is no IPv6 address as it came
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
  // A URL writes every address in one notation: no zone, no dots, the longest run of zeros as two colons.
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
