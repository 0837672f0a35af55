import { expect, test } from 'vitest';
import { parseSmtpUrl } from './smtp-url.ts';

test.each([
  ['smtp://mail.example', { host: 'mail.example', secure: false }],
  ['smtps://mail.example:465', { host: 'mail.example', port: 465, secure: true }],
  [
    'smtp://ada%40shop.example:s%40cret@[::1]:587',
    { host: '::1', port: 587, secure: false, auth: { user: 'ada@shop.example', pass: 's@cret' } },
  ],
  [
    `smtps://h?ca=${import.meta.filename}`,
    { host: 'h', secure: true, ca: expect.stringContaining('import') },
  ],
])('%s', (url, server) => {
  expect(parseSmtpUrl(url)).toEqual(server);
});

test.each([
  ['http://mail.example', 'must start with smtp:// or smtps:// and a host'],
  ['smtp://', 'must start with'],
  ['smtp://h:99999', 'must start with'],
  ['smtps://h?tls.rejectUnauthorized=false', 'has the parameter "tls.rejectUnauthorized"; known is ca'],
  ['smtp://h?ignoreTLS=true', 'has the parameter "ignoreTLS"'],
  ['smtp://u:secret@h?requireTLS=false', 'has the parameter "requireTLS"'],
  ['smtp://h?ca=/nowhere/ca.pem', 'names the file "/nowhere/ca.pem", which cannot be read (ENOENT)'],
])('%s is refused', (url, problem) => {
  expect(() => parseSmtpUrl(url)).toThrow(problem);
  expect(() => parseSmtpUrl(url)).not.toThrow('secret');
});
