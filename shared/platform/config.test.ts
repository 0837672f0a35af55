import { describe, expect, test } from 'vitest';
import { ConfigError, graceMsOf, loadConfig } from './config.ts';

const least = {
  MONGODB_URL: 'mongodb://127.0.0.1/packshot',
  QUEUE_URL: 'redis://127.0.0.1:6379',
  STORAGE_URL: 'file:/tmp/packshot',
  SESSION_SECRET: 'x'.repeat(32),
  OPENAI_API_KEY: 'sk-test',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SMTP_URL: 'smtp://127.0.0.1:1025',
};

function problemOf(given: Record<string, string>): string {
  try {
    loadConfig(given);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`${JSON.stringify(given)} was accepted`);
}

describe('loadConfig', () => {
  test('the settings without a default are enough, and all others have the documented default', () => {
    const config = loadConfig(least);
    expect(config.image).toMatchObject({ timeoutMs: 600_000, attempts: 3, model: 'gpt-image-2.5-flare' });
    expect(config.publicUrl).toBeUndefined();
    expect(config.metrics).toBeNull();
    expect(config.otlpEndpoint).toBeUndefined();
    expect(config.billing).toEqual({
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_1',
      apiUrl: undefined,
      tax: false,
      graceMs: 3 * 86_400_000,
      fairUse: 3_000,
    });
    expect(config.mail).toEqual({
      smtpUrl: 'smtp://127.0.0.1:1025',
      requireTls: false,
      from: 'Packshot <no-reply@packshot.example>',
      supportAddress: 'support@packshot.example',
      contactAddress: 'contact@packshot.example',
    });
  });

  test('a daily cap needs the prices of the model, and is in micro-dollars', () => {
    expect(loadConfig(least).image).toMatchObject({ dailyCap: null, prices: [] });
    expect(loadConfig({ ...least, PROVIDER_DAILY_CAP: '12.5' }).image.dailyCap).toBe(12_500_000);
    const unknown = { ...least, IMAGE_MODEL: 'gpt-image-9', PROVIDER_DAILY_CAP: '50' };
    expect(problemOf(unknown)).toBe(
      'PROVIDER_DAILY_CAP needs the prices of gpt-image-9, which are not known: add them as IMAGE_PRICES, or remove the cap. See docs/provider.md#prices.',
    );
    // Prices that begin later do not help today.
    const later = { ...unknown, IMAGE_PRICES: 'gpt-image-9@2999-01-01:5/1/8/2/30' };
    expect(problemOf(later)).toContain('needs the prices of gpt-image-9');
    expect(loadConfig({ ...unknown, IMAGE_PRICES: 'gpt-image-9@2026-01-01:5/1/8/2/30' }).image).toMatchObject(
      { dailyCap: 50_000_000, prices: [{ model: 'gpt-image-9', imageOutput: 30_000_000 }] },
    );
    expect(loadConfig({ ...unknown, IMAGE_PROVIDER: 'local' }).image.dailyCap).toBe(50_000_000);
    for (const cap of ['0', '-1', 'much', '1e3', '0.0000001']) {
      expect(problemOf({ ...least, PROVIDER_DAILY_CAP: cap })).toContain(
        'PROVIDER_DAILY_CAP: must be more than 0',
      );
    }
    expect(problemOf({ ...least, IMAGE_PRICES: 'gpt-image-9=5' })).toContain('IMAGE_PRICES: must be MODEL@');
  });

  test('every missing setting is named in one line', () => {
    const problem = problemOf({});
    for (const name of Object.keys(least)) expect(problem).toContain(`${name} is not set`);
    expect(problem).not.toContain('\n');
  });

  test('a program need not be given the secrets of others, and gets none that anybody knows', () => {
    const { OPENAI_API_KEY: _key, SMTP_URL: _smtp, ...ofServer } = least;
    expect(loadConfig(ofServer, 'server').sessionSecret).toBe(least.SESSION_SECRET);
    expect(() => loadConfig(ofServer, 'worker')).toThrow('OPENAI_API_KEY is not set; SMTP_URL is not set');
    const { SESSION_SECRET: _session, STRIPE_WEBHOOK_SECRET: _webhook, ...ofWorker } = least;
    const [one, other] = [loadConfig(ofWorker, 'worker'), loadConfig(ofWorker, 'worker')];
    expect(one.image.apiKey).toBe(least.OPENAI_API_KEY);
    expect(one.sessionSecret).not.toBe(other.sessionSecret);
    expect(one.billing.webhookSecret).not.toBe(other.billing.webhookSecret);
    expect(() => loadConfig(ofWorker, 'server')).toThrow('SESSION_SECRET is not set');
    expect(() => loadConfig(ofWorker)).toThrow('SESSION_SECRET is not set');
  });

  test('a wrong value is refused by the name of its setting', () => {
    const wrong: [name: string, value: string][] = [
      ['QUEUE_URL', 'mysql://x'],
      ['MONGODB_URL', 'http://x'],
      ['SESSION_SECRET', 'short'],
      ['PORT', '70000'],
      ['PORT', 'eighty'],
      ['METRICS_PORT', '70000'],
      ['OTLP_ENDPOINT', 'collector:4318'],
      ['WORKER_CONCURRENCY', '0'],
      ['QUEUE_NAME', 'with:colon'],
      ['LOG_LEVEL', 'loud'],
      ['PROVIDER_STALL_MS', '0'],
      ['PROVIDER_IMAGES_PER_MINUTE', '-1'],
      ['PROVIDER_MAX_IN_FLIGHT', '1.5'],
      ['STRIPE_API_URL', 'api.stripe.com'],
      ['SMTP_URL', 'http://mail.example'],
      ['STORAGE_URL', '/var/packshot'],
      ['STORAGE_URL', 'http://images.example'],
      ['STORAGE_URL', 'file:images'],
      ['STORAGE_URL', 'file://images.example/packshot'],
      ['STORAGE_URL', 'file:/'],
      ['STORAGE_URL', 'file:/images?region=a'],
      ['STORAGE_URL', 'file:/images%2Fof'],
      ['STORAGE_URL', 's3:images?region=a'],
      ['STORAGE_URL', 's3://?region=a'],
      ['STORAGE_URL', 's3://My_Bucket?region=a'],
      ['STORAGE_URL', 's3://b?region=a'],
      ['STORAGE_URL', 's3://images:9000?region=a'],
      ['STORAGE_URL', 's3://images:port?region=a'],
      ['STORAGE_URL', 's3://images/a//b?region=a'],
      ['STORAGE_URL', 's3://images/a%20b?region=a'],
      ['STORAGE_URL', 's3://images/a?region=a#b'],
      ['STORAGE_URL', 's3://images'],
      ['STORAGE_URL', 's3://images?region='],
      ['STORAGE_URL', 's3://images?region=eu_central'],
      ['STORAGE_URL', 's3://images?region=a&region=b'],
      ['STORAGE_URL', 's3://images?region=a&zone=b'],
      ['STORAGE_URL', 's3://images?endpoint=minio.example'],
      ['STORAGE_URL', 's3://images?endpoint=ftp://minio.example'],
      ['STORAGE_URL', 's3://images?endpoint=http://minio.example/s3'],
      ['STORAGE_URL', 's3://images?endpoint='],
      ['PAST_DUE_GRACE_DAYS', '31'],
      ['PAST_DUE_GRACE_DAYS', '-1'],
      ['FAIR_USE_MONTHLY', '0'],
      ['SUPPORT_ADDRESS', 'Packshot <support@shop.example>'],
      ['CONTACT_ADDRESS', 'a@shop.example, b@shop.example'],
      ['ALERT_ADDRESS', 'Ops <ops@shop.example>'],
      ['ALERT_WEBHOOK_URL', 'chat.shop.example/hook'],
      ['ALERT_FAILURE_PERCENT', '0'],
      ['PUBLIC_URL', 'https://'],
      ['PUBLIC_URL', 'https:///'],
      ['PUBLIC_URL', 'ftp://shop.example'],
      ['PUBLIC_URL', 'https://shop.example/app'],
      ['PUBLIC_URL', 'https://shop.example?a=b'],
      ['PUBLIC_URL', 'https://me@shop.example'],
      ['TRY_OUT', 'perhaps'],
    ];
    const accepted = wrong.filter(
      ([name, value]) => !problemOf({ ...least, [name]: value }).includes(`${name}: `),
    );
    expect(accepted).toEqual([]);
  });

  test('a certificate for images needs its key', () => {
    for (const name of ['C2PA_CERTIFICATE', 'C2PA_PRIVATE_KEY'])
      expect(problemOf({ ...least, [name]: '/c2pa.pem' })).toContain('must both be set');
  });

  test('a secret is never in an error message', () => {
    expect(problemOf({ ...least, SESSION_SECRET: 'hunter2', PORT: 'x' })).not.toContain('hunter2');
    expect(problemOf({ ...least, SMTP_URL: 'mail://me:hunter2@mail.example' })).not.toContain('hunter2');
  });

  test('a storage URL may have no password, and an access key needs its secret', () => {
    const STORAGE_URL = 's3://me:hunter2@images?region=a';
    expect(problemOf({ ...least, STORAGE_URL })).toBe(
      'STORAGE_URL: must have no name or password: set STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY. ' +
        'See docs/settings.md.',
    );
    const secret = problemOf({
      ...least,
      STORAGE_URL: 's3://images?region=a',
      STORAGE_SECRET_ACCESS_KEY: 'hunter2',
    });
    expect(secret).toContain('STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY must both be set');
    for (const wrong of [
      's3://images?region=a&hunter2=1',
      's3://images?endpoint=http://me:hunter2@minio.example',
    ]) {
      expect(problemOf({ ...least, STORAGE_URL: wrong })).not.toContain('me:hunter2');
    }
  });

  test('a bucket, with and without a prefix and an endpoint', () => {
    const storageOf = (STORAGE_URL: string) => loadConfig({ ...least, STORAGE_URL }).storage;
    expect(storageOf('s3://my.images-1?region=eu-central-1')).toEqual({
      kind: 's3',
      bucket: 'my.images-1',
      prefix: '',
      endpoint: undefined,
      region: 'eu-central-1',
      credentials: undefined,
    });
    expect(storageOf('s3://images/shop/a/?endpoint=https%3A%2F%2Fminio.example:9000/')).toMatchObject({
      bucket: 'images',
      prefix: 'shop/a/',
      endpoint: 'https://minio.example:9000',
      region: 'us-east-1',
    });
    expect(storageOf('file:///var/my%20images')).toEqual({ kind: 'file', folder: '/var/my images' });
  });

  test('presigned addresses need a bucket, with https if the site has it', () => {
    const presigned = { ...least, IMAGE_DELIVERY: 'presigned' };
    const bucket = { ...presigned, STORAGE_URL: 's3://images?endpoint=http://minio.example' };
    expect(problemOf(presigned)).toContain('IMAGE_DELIVERY: presigned needs a bucket');
    expect(problemOf({ ...bucket, PUBLIC_URL: 'https://shop.example' })).toContain('IMAGE_DELIVERY: ');
    expect(loadConfig(bucket).imageDelivery).toBe('presigned');
  });

  test('a trailing slash is removed from the public URL', () => {
    expect(loadConfig({ ...least, PUBLIC_URL: 'https://shop.example/' }).publicUrl).toBe(
      'https://shop.example',
    );
  });

  test.for([
    [{ PUBLIC_URL: 'https://shop.example/', HOST: '10.0.0.1' }, 'https://shop.example'],
    [{}, 'http://127.0.0.1:3000'],
    [{ HOST: '10.0.0.1', PORT: '8080' }, 'http://10.0.0.1:8080'],
    [{ HOST: '0.0.0.0' }, 'http://localhost:3000'],
    [{ HOST: '::' }, 'http://localhost:3000'],
    [{ HOST: '::1' }, 'http://[::1]:3000'],
  ] as const)('with %j links begin with %s', ([given, start]) => {
    expect(loadConfig({ ...least, ...given }).linkUrl).toBe(start);
  });
});

test('the grace period of an overdue plan can be read without the other settings', () => {
  expect(graceMsOf(undefined)).toBe(3 * 86_400_000);
  expect(graceMsOf('0')).toBe(0);
  expect(graceMsOf('7')).toBe(7 * 86_400_000);
});
