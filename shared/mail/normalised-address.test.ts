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
  ['ana.lee@protonmail.com', 'analee@proton.me'],
  ['ana-lee@pm.me', 'analee@proton.me'],
  ['Ana_Lee+shop@ProtonMail.ch', 'analee@proton.me'],
  ['ana@me.com', 'ana@icloud.com'],
  ['ana+shop@mac.com', 'ana@icloud.com'],
  ['ana.lee@icloud.com', 'ana.lee@icloud.com'],
  ['ana@ya.ru', 'ana@yandex.ru'],
  ['ana-lee@yandex.com', 'ana.lee@yandex.ru'],
  ['ana.lee+shop@yandex.com.tr', 'ana.lee@yandex.ru'],
  ['ana-shop@yahoo.com', 'ana@yahoo.com'],
  ['ana-shop-2@yahoo.co.uk', 'ana@yahoo.co.uk'],
  ['ana.lee@yahoo.com', 'ana.lee@yahoo.com'],
  ['-ana@yahoo.com', '-ana@yahoo.com'],
  ['shop@ana.fastmail.com', 'ana@fastmail.com'],
  ['shop+1@ana.sent.com', 'ana@sent.com'],
  ['ana+shop@fastmail.fm', 'ana@fastmail.fm'],
  ['a@b.ana.fastmail.com', 'a@b.ana.fastmail.com'],
  ['ana+shop@outlook.com', 'ana@outlook.com'],
  ['ana@hotmail.com', 'ana@hotmail.com'],
  ['ana-lee@outlook.com', 'ana-lee@outlook.com'],
  ['...@gmail.com', '...@gmail.com'],
])('%s is %s', (email, normalised) => {
  expect(normalisedAddress(email)).toBe(normalised);
});

it('stays the same when it is normalised again, and whatever tag and case are used', () => {
  const domain = fc.constantFrom(
    'gmail.com',
    'googlemail.com',
    'pm.me',
    'ya.ru',
    'yahoo.fr',
    'ana.eml.cc',
    'shop.example',
  );
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
