import { expect, test } from 'vitest';
import { isLocalHost } from './local-host.ts';

test.each(['127.0.0.1:8025', '[::1]:8025', 'localhost', 'localhost:12111', 'mail:8025', 'shop.localhost:1'])(
  'accepts the local name %s',
  (host) => {
    expect(isLocalHost(host)).toBe(true);
  },
);

test.each([undefined, '', 'evil.example', 'evil.example:8025', '127.0.0.1.evil.example', 'a b'])(
  'rejects %s',
  (host) => {
    expect(isLocalHost(host)).toBe(false);
  },
);

test('accepts the host of the public URL, with its port', () => {
  expect(isLocalHost('stripe.shop.example:8443', 'https://stripe.shop.example:8443')).toBe(true);
  expect(isLocalHost('stripe.shop.example:1', 'https://stripe.shop.example:8443')).toBe(false);
});
