import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalisedAddress } from './normalised-address.ts';

it.each([
  ['ana@shop.example', 'ana@shop.example'],
  ['Ana@Shop.EXAMPLE', 'ana@shop.example'],
  ['ana+packshot@shop.example', 'ana@shop.example'],
  ['ana+a+b@shop.example', 'ana@shop.example'],
  ['ana+@shop.example', 'ana@shop.example'],
  ['+ana@shop.example', '+ana@shop.example'],
  ['ana.lee@shop.example', 'ana.lee@shop.example'],
  ['ana-lee_1@shop.example', 'ana-lee_1@shop.example'],
  ['a.n.a@gmail.com', 'ana@gmail.com'],
  ['A.Na+shop@GoogleMail.com', 'ana@gmail.com'],
  ['ana@googlemail.com', 'ana@gmail.com'],
  ['a.na@mail.gmail.com', 'a.na@mail.gmail.com'],
  ['a.na@gmail.com.example', 'a.na@gmail.com.example'],
])('%s is %s', (email, normalised) => {
  expect(normalisedAddress(email)).toBe(normalised);
});

it('stays the same when it is normalised again, and whatever tag and case are used', () => {
  const domain = fc.constantFrom('gmail.com', 'googlemail.com', 'shop.example');
  const local = fc.stringMatching(/^[a-z0-9][a-z0-9.]{0,10}$/);
  const tag = fc.stringMatching(/^[a-z0-9+.]{0,8}$/);
  fc.assert(
    fc.property(local, tag, domain, (name, suffix, host) => {
      const plain = normalisedAddress(`${name}@${host}`);
      expect(normalisedAddress(plain)).toBe(plain);
      expect(normalisedAddress(`${name.toUpperCase()}+${suffix}@${host}`)).toBe(plain);
    }),
  );
});
