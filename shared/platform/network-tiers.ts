import { requestLimits } from '#shared/contract/request-limits.ts';

/** A network for which requests are counted. */
export interface NetworkTier {
  /** Such as `203.0.113.7`, `2001:db8:0:1::/64` or `2001:db8:0::/48`. */
  network: string;
  /** How many times the number of a limit it may have. */
  times: number;
}

const ofSixtyFourBits = /^(\w+):(\w+):(\w+):(\w+)::\/64$/;

/**
 * The network of a request, and the wider networks of which it is a part, because a client may have any of them. Each has a
 * count of its own (docs/decisions/0088-mailboxes-links-and-wide-networks.md).
 * @param network as `networkOf` gives it
 * @returns the smallest first; only one for an IPv4 address
 */
export function networkTiers(network: string): readonly [NetworkTier, ...NetworkTier[]] {
  const own = { network, times: 1 };
  const groups = ofSixtyFourBits.exec(network);
  if (!groups) return [own];
  const [, first, second, third, fourth] = groups as unknown as [string, string, string, string, string];
  const site = `${first}:${second}:${third}`;
  const eightBits = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return [
    own,
    { network: `${site}:${eightBits}::/56`, times: requestLimits.widerNetworks[56] },
    { network: `${site}::/48`, times: requestLimits.widerNetworks[48] },
  ];
}

/** The widest network that one client may have: on its behalf something waits in line. */
export function widestNetwork(network: string): string {
  return networkTiers(network).at(-1)!.network;
}
