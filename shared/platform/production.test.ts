import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import type { SettingName } from './settings.ts';

/** Settings that are safe in production. */
const safe: Partial<Record<SettingName, string>> = {
  NODE_ENV: 'production',
  MONGODB_URL: 'mongodb://mongo/packshot',
  QUEUE_URL: 'redis://redis:6379',
  STORAGE_URL: 'file:/data',
  SESSION_SECRET: 'b7f1c2a94de0863517fa2c9be8d04136',
  SEALING_KEYS: 'c0a8b7d6e5f4032112fa9c8be7d6f5a4',
  WEBHOOK_KEYS: '41f9d07b3ce86a25d1b07f94ac3e5826',
  PUBLIC_URL: 'https://shop.example',
  OPENAI_API_KEY: 'sk-real',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SMTP_URL: 'smtps://name:password@mail.example:465',
  MAIL_FROM: 'Packshot <no-reply@packshot.dev>',
  SUPPORT_ADDRESS: 'support@packshot.dev',
  CONTACT_ADDRESS: 'hello@packshot.dev',
};

function load(changed: Partial<Record<SettingName, string | undefined>>) {
  const given = Object.entries({ ...safe, ...changed }).filter(([, value]) => value !== undefined);
  return loadConfig(Object.fromEntries(given) as Partial<Record<SettingName, string>>);
}

test('safe settings are accepted in production', () => {
  expect(load({})).toMatchObject({ production: true, tryOut: false });
});

test.each([
  [{}, true],
  [{ SMTP_URL: 'smtp://127.0.0.1:25' }, true],
  [{ ALLOW_PLAIN_SMTP: 'true' }, false],
  [{ TRY_OUT: 'true' }, false],
  [{ NODE_ENV: undefined }, false],
])(
  'mails need TLS in production, also to this host, unless a setting allows them without: %j',
  (given, requireTls) => {
    expect(load(given).mail.requireTls).toBe(requireTls);
  },
);

describe.each([
  ['no public address', { PUBLIC_URL: undefined }, 'PUBLIC_URL'],
  ['a public address without encryption', { PUBLIC_URL: 'http://shop.example' }, 'ALLOW_HTTP'],
  ['a secret of one letter', { SESSION_SECRET: 'a'.repeat(40) }, 'SESSION_SECRET'],
  ['a repeated word', { SESSION_SECRET: 'walnut'.repeat(8) }, 'SESSION_SECRET'],
  ['a placeholder', { SESSION_SECRET: 'changeme-b7f1c2a94de0863517fa2c9' }, 'SESSION_SECRET'],
  ['the alphabet', { SESSION_SECRET: 'abcdefghijklmnopqrstuvwxyz012345' }, 'SESSION_SECRET'],
  [
    'a placeholder as the older secret',
    { SESSION_SECRET: `b7f1c2a94de0863517fa2c9be8d04136,${'changeme'.repeat(4)}` },
    'SESSION_SECRET has a secret',
  ],
  ['no key that seals', { SEALING_KEYS: undefined }, 'SEALING_KEYS is not set'],
  ['no key that seals what webhooks sign with', { WEBHOOK_KEYS: undefined }, 'WEBHOOK_KEYS is not set'],
  ['webhooks to this machine', { WEBHOOKS_TO_LOOPBACK: 'true' }, 'WEBHOOKS_TO_LOOPBACK is set'],
  [
    'a placeholder as an old key',
    { SEALING_KEYS: `c0a8b7d6e5f4032112fa9c8be7d6f5a4,${'changeme'.repeat(4)}` },
    'SEALING_KEYS has a secret',
  ],
  [
    'writes that one member acknowledges',
    { MONGODB_URL: 'mongodb://a,b/packshot?replicaSet=rs&w=1' },
    'MONGODB_URL has w',
  ],
  ['no database', { MONGODB_URL: 'mongodb://name:word@mongo:27017' }, 'MONGODB_URL names no database'],
  [
    'no database before options',
    { MONGODB_URL: 'mongodb://mongo/?w=majority' },
    'MONGODB_URL names no database',
  ],
  ['reads from secondaries', { MONGODB_URL: 'mongodb://a/x?readPreference=nearest' }, 'readPreference'],
  ['writes without retry', { MONGODB_URL: 'mongodb://a/x?retryWrites=false' }, 'retryWrites'],
  ['writes without journal', { MONGODB_URL: 'mongodb://a/x?journal=false' }, 'journal'],
  ['the local renderer', { IMAGE_PROVIDER: 'local' }, 'IMAGE_PROVIDER'],
  ['the provider of tests', { IMAGE_PROVIDER: 'echo' }, 'IMAGE_PROVIDER'],
  ['the local Stripe', { STRIPE_API_URL: 'http://stripe:12111' }, 'STRIPE_API_URL'],
  ["Stripe's test mode", { STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_SECRET_KEY'],
  ['local mail', { SMTP_URL: 'smtp://mail:1025' }, 'SMTP_URL'],
  ['the default sender', { MAIL_FROM: undefined }, 'MAIL_FROM'],
  ['the default support address', { SUPPORT_ADDRESS: undefined }, 'SUPPORT_ADDRESS'],
  ['a contact address at example.com', { CONTACT_ADDRESS: 'me@Example.com' }, 'CONTACT_ADDRESS'],
] as const)('%s', (_what, changed, named) => {
  test('is refused in production, with its name and without its value', () => {
    expect(() => load(changed)).toThrow(named);
    const secret = 'SESSION_SECRET' in changed ? changed.SESSION_SECRET : 'sk_test_1';
    expect(() => load(changed)).not.toThrow(secret);
  });

  test('is allowed in a try-out installation and in development', () => {
    expect(load({ ...changed, TRY_OUT: 'true' })).toMatchObject({ production: false, tryOut: true });
    expect(load({ ...changed, NODE_ENV: undefined })).toMatchObject({ production: false, tryOut: false });
  });
});

test('a program is not asked for what only the other one reads', () => {
  const { OPENAI_API_KEY: _key, SMTP_URL: _smtp, MAIL_FROM: _from, ...ofServer } = safe;
  expect(loadConfig(ofServer, 'server').production).toBe(true);
  expect(() => loadConfig(ofServer, 'worker')).toThrow('OPENAI_API_KEY is not set; SMTP_URL is not set');
  expect(() => loadConfig({ ...safe, MAIL_FROM: undefined! }, 'worker')).toThrow('MAIL_FROM');
  const { SESSION_SECRET: _session, SEALING_KEYS: _seal, CONTACT_ADDRESS: _contact, ...rest } = safe;
  const { STRIPE_WEBHOOK_SECRET: _webhook, ...ofWorker } = rest;
  expect(loadConfig(ofWorker, 'worker').production).toBe(true);
  expect(() =>
    loadConfig(
      { ...ofWorker, SESSION_SECRET: safe.SESSION_SECRET!, STRIPE_WEBHOOK_SECRET: 'whsec_1' },
      'server',
    ),
  ).toThrow(/SEALING_KEYS.*CONTACT_ADDRESS/);
});

test('http is allowed with ALLOW_HTTP', () => {
  expect(load({ PUBLIC_URL: 'http://shop.example', ALLOW_HTTP: 'true' }).production).toBe(true);
});

test('random secrets are never refused', () => {
  for (let count = 0; count < 2_000; count += 1) {
    load({ SESSION_SECRET: randomBytes(16).toString('hex') });
    load({ SESSION_SECRET: randomBytes(24).toString('base64') });
  }
});
