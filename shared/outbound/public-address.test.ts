import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { hostileAddresses, privateAddresses } from '#tests/support/hostile-addresses.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress, readPublicUrl } from './public-address.ts';

test('addresses that are not of the public internet, also inside of IPv6', () => {
  expect(privateAddresses.filter((address) => isIP(address) === 0)).toEqual([]);
  expect(privateAddresses.filter(isPublicAddress)).toEqual([]);
});

test('public addresses, also through NAT64 where there is no IPv4', () => {
  const all = ['8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001:80b::200e'];
  const inIPv6 = ['::ffff:8.8.8.8', '64:ff9b::808:808'];
  expect([...all, ...inIPv6].filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('what is no address as Node writes it is not public', () => {
  const others = ['', 'localhost', '8.8', '08.8.8.8', '0x8.8.8.8', '2606:4700::1111%eth0', '8.8.8.8/24'];
  expect(others.filter(isPublicAddress)).toEqual([]);
});

/** What is said of an address before its host is resolved. */
function failureOf(address: string): string {
  try {
    const { host } = readPublicUrl(address, [443]);
    if (isIP(host) !== 0 && !isPublicAddress(host)) return 'not-public';
    return `resolves ${host}`;
  } catch (error) {
    expect(error).toBeInstanceOf(OutboundError);
    return (error as OutboundError).failure;
  }
}

test('hostile addresses are refused by their text', () => {
  expect(hostileAddresses.length).toBeGreaterThan(90);
  expect(hostileAddresses.map(([address]) => [address, failureOf(address)])).toEqual(hostileAddresses);
});

test.for([
  ['https://Photos.Shop.Example./a b.jpg?c#d', 'photos.shop.example', '/a%20b.jpg'],
  [' https://photos.shop.example:443/ü\n', 'photos.shop.example', '/%C3%BC'],
  ['https://bücher.example/', 'xn--bcher-kva.example', '/'],
  // A browser takes the backslash for a slash, and so the host is the first one.
  ['https://photos.shop.example\\@127.0.0.1/', 'photos.shop.example', '/@127.0.0.1/'],
  ['https://127.0.0.1.nip.io/', '127.0.0.1.nip.io', '/'],
  ['https://[2606:4700::1111]/', '2606:4700::1111', '/'],
])('%s is an address', ([text, host, path]) => {
  expect(readPublicUrl(text!, [443])).toMatchObject({ host, port: 443, url: { pathname: path } });
});
