import { expect, test } from 'vitest';
import { networkTiers, widestNetwork } from './network-tiers.ts';

test.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['not an address', ['not an address']],
  ['2001:db8:0:1::/64', ['2001:db8:0:1::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
  ['2001:db8:0:1aff::/64', ['2001:db8:0:1aff::/64', '2001:db8:0:1a00::/56', '2001:db8:0::/48']],
])('%s and the wider networks', (network, expected) => {
  const tiers = networkTiers(network);
  expect(tiers.map((tier) => tier.network)).toEqual(expected);
  expect(widestNetwork(network)).toBe(expected.at(-1));
  const times = tiers.map((tier) => tier.times);
  expect(times[0]).toBe(1);
  // Each wider one has a larger number.
  expect(times).toEqual([...new Set(times)].sort((left, right) => left - right));
});
