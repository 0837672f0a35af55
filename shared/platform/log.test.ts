import { expect, test } from 'vitest';
import { withoutAddresses, withoutSecrets } from './log.ts';

test.each([
  ['/api/generations?limit=24', '/api/generations?limit=24'],
  ['/verify-email?token=abc', '/verify-email?token=[redacted]'],
  ['/verify-email?token=abc&next=studio', '/verify-email?token=[redacted]&next=studio'],
  ['/verify-email?next=studio&Token=a=b', '/verify-email?next=studio&Token=[redacted]'],
  ['/verify-email?%74oken=abc', '/verify-email?%74oken=[redacted]'],
  ['/verify-email?%zz=abc', '/verify-email?%zz=[redacted]'],
  ['/verify-email', '/verify-email'],
  ['/?', '/?'],
  ['/login?email=ana%40shop.example', '/login?email=[redacted]'],
  ['/api/operator/sellers?q=ana@shop.example', '/api/operator/sellers?q=[redacted]'],
  ['/a?q=ana%2540shop.example&ana@shop.example', '/a?q=[redacted]&[redacted]'],
  ['/unsubscribe/ana%40shop.example/now', '/unsubscribe/[redacted]/now'],
  [
    '/image?X-Amz-Credential=AKIA&X-Amz-Signature=ab',
    '/image?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]',
  ],
  ['/a?b?token=c', '/a?b?token=[redacted]'],
])('%s is logged as %s', (url, logged) => {
  expect(withoutSecrets(url)).toBe(logged);
});

test.each([
  ['550 5.1.1 <ana@shop.example>: no such user', '550 5.1.1 <[address]>: no such user'],
  ['to:\nana.müller+new@büro.example', 'to:\n[address]'],
  ['a "quoted" \\ ana@mail.shop.example.', 'a "quoted" \\ [address].'],
  ['mongodb://user:secret@db.shop.example:27017/packshot', 'mongodb://user:[address]:27017/packshot'],
  ['bounces+ana=shop.example@mailer.example', '[address]'],
  [
    'at file:///app/node_modules/@fastify/otel/index.js:1',
    'at file:///app/node_modules/@fastify/otel/index.js:1',
  ],
  ['undici@7.1.0', 'undici@7.1.0'],
  ['\u0001ana@shop.example', '\u0001[address]'],
])('the line with %j has %j', (text, shown) => {
  const line = JSON.stringify({ msg: text });
  expect(JSON.parse(withoutAddresses(line))).toEqual({ msg: shown });
});
