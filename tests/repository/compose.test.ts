/** What docker-compose.yml gives to its services, and what each of them is bound to. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingNames } from '#scripts/settings/shape.ts';
import { readEnvironment } from '#shared/platform/environment.ts';
import { composeVariables } from '#shared/platform/known-variables.ts';
import { unneededSecretsOf } from '#shared/platform/program-secrets.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import type { SettingName } from '#shared/platform/settings.ts';
import { readInCheckout } from '#tests/support/checkout.ts';

interface Service {
  image: string;
  environment?: Record<string, string | number>;
  env_file?: string[];
  profiles?: string[];
  command?: string[];
  healthcheck?: object;
  mem_limit?: string;
  pids_limit?: number;
  logging?: { options: Record<string, string> };
  cap_drop?: string[];
  ports?: string[];
}

const text = readInCheckout('docker-compose.yml');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };

/** As Compose replaces variables, with those of `.env`. */
const interpolated = (value: string | number, variables: Record<string, string>) =>
  String(value).replace(
    /\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (whole, name?: string, kind?: string, rest?: string) => {
      if (name === undefined) return whole.slice(1);
      if (variables[name]) return variables[name];
      if (kind === '?') throw new Error(`${name} ${rest}`);
      return rest ?? '';
    },
  );

/** The environment of a service: `.env` if it is its `env_file`, and above it what the file says. */
function environmentOf(service: Service, variables: Record<string, string>): Record<string, string> {
  const files = (service.env_file ?? []).map((file) => interpolated(file, variables));
  const own = Object.entries(service.environment ?? {}).map(([name, value]) => [
    name,
    interpolated(value, variables),
  ]);
  return { ...(files.includes('.env') && variables), ...Object.fromEntries(own) };
}

/** Who reads each setting, as docs/settings.md says it. */
const readBy = new Map(
  [...readInCheckout('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \|.*\| ([a-z, ]+) \|$/gm)].map(
    ([, name, readers]) => [name!, readers!.split(', ')] as const,
  ),
);

/** Settings whose value the file decides, because it makes the stores and the network. */
const decided = ['MONGODB_URL', 'QUEUE_URL', 'HOST', 'METRICS_HOST'];

const passwords = { MONGODB_PASSWORD: 'one', REDIS_PASSWORD: 'two' };

describe.each(['server', 'worker'] as const)('the %s', (program) => {
  test('gets every setting that it reads', () => {
    expect([...readBy.keys()]).toEqual(settingNames);
    const variables: Record<string, string> = {
      ...passwords,
      ...Object.fromEntries(settingNames.map((name) => [name, `of-${name}`])),
    };
    const environment = environmentOf(services[program]!, variables);
    const read = settingNames.filter((name) => readBy.get(name)!.includes(program));
    expect(read.filter((name) => environment[name] !== variables[name])).toEqual(
      read.filter((name) => decided.includes(name)),
    );
    expect(environment).toMatchObject({
      MONGODB_URL: 'mongodb://packshot:one@mongo:27017/packshot?authSource=admin',
      QUEUE_URL: 'redis://:two@redis:6379',
      HOST: '0.0.0.0',
    });
  });

  test('gets no secret that it does not need', () => {
    const secrets = [...Object.keys(unneededSecretsOf(program)), ...Object.keys(passwords)];
    const variables = Object.fromEntries(secrets.map((name) => [name, 'secret']));
    const environment = environmentOf(services[program]!, variables);
    expect(secrets.map((name) => environment[name])).toEqual(secrets.map(() => ''));
  });

  test('without passwords does not start, and says what makes them', () => {
    for (const missing of Object.keys(passwords)) {
      const variables = { ...passwords, [missing]: '' };
      expect(() => environmentOf(services[program]!, variables)).toThrow(
        `${missing} is not set. Run sh deploy/compose/new-env.sh first`,
      );
    }
  });
});

test('every service has bounds, a log that is rotated, a check of its health, and an image that cannot change', () => {
  const built = ['packshot-local', 'packshot-server', 'packshot-worker'];
  for (const [name, service] of Object.entries(services)) {
    const image = interpolated(service.image, {});
    if (!built.includes(image)) expect(image, name).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
    expect(service.mem_limit, name).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit, name).toBeGreaterThan(0);
    expect(service.logging?.options, name).toEqual({ 'max-size': '10m', 'max-file': '5' });
    // Those that are built have it in their Dockerfile.
    if (!built.includes(image)) expect(service.healthcheck, name).toBeDefined();
  }
  for (const program of ['server', 'worker']) {
    expect(readInCheckout(`Dockerfile.${program}`)).toMatch(/^HEALTHCHECK /m);
  }
  for (const file of ['Dockerfile.server', 'Dockerfile.worker', 'scripts/containers/Dockerfile.local']) {
    const [, node] = /^ARG NODE_IMAGE=(\S+)$/m.exec(readInCheckout(file))!;
    expect(text, file).toContain(`{NODE_IMAGE:-${node}}`);
  }
});

test('local services are there to be tried out only, and only the server is published', () => {
  const local = Object.entries(services).filter(([, { image }]) => image === 'packshot-local');
  expect(local.map(([name]) => name)).toEqual(['images', 'stripe', 'mail']);
  for (const [, service] of local) expect(service.profiles).toEqual(['try-out']);
  const without = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
  expect(without.map(([name]) => name)).toEqual(['mongo', 'redis', 'server', 'worker']);
  expect(without.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['server']);
});

test('every variable of the file is a setting or is known', () => {
  const named = [...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name!);
  const known: readonly string[] = [...settingNames, ...composeVariables];
  expect(named.filter((name) => !known.includes(name as SettingName))).toEqual([]);
});

const { PATH } = readEnvironment();

const newFolder = () => mkdtempSync(join(tmpdir(), 'packshot-compose-'));

describe('new-env.sh', () => {
  const make = (file: string, ...options: string[]) =>
    execFileSync('sh', [join(rootFolder, 'deploy/compose/new-env.sh'), ...options], {
      env: { PATH, ENV_FILE: file },
      encoding: 'utf8',
    });

  test('makes passwords that nobody else can read, and never another one for what is set', () => {
    const folder = newFolder();
    const file = join(folder, '.env');
    writeFileSync(file, 'PUBLIC_URL=https://shop.com\nSESSION_SECRET=mine\nSEALING_KEYS=');
    expect(make(file)).not.toMatch(/[0-9a-f]{20}/);
    const made = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lines = made.split('\n');
    expect(lines.slice(0, 2)).toEqual(['PUBLIC_URL=https://shop.com', 'SESSION_SECRET=mine']);
    for (const name of ['MONGODB_PASSWORD', 'REDIS_PASSWORD', 'SEALING_KEYS']) {
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${name}=[0-9a-f]{64}$`)));
    }
    expect(new Set(made.match(/[0-9a-f]{64}/g)).size).toBe(3);
    expect(made).not.toContain('TRY_OUT');
    make(file);
    expect(readFileSync(file, 'utf8')).toBe(made);
    make(file, '--try-out');
    expect(readFileSync(file, 'utf8')).toBe(`${made}TRY_OUT=true\nCOMPOSE_PROFILES=try-out\n`);
    rmSync(folder, { recursive: true });
  });

  test('refuses an option that it does not know', () => {
    expect(() => make('/dev/null', '--tryout')).toThrow(
      /\nnew-env\.sh: --tryout is not known; .*--help.*\n$/,
    );
  });

  test('says with --help what it takes', () => {
    expect(make('/dev/null', '--help')).toContain('sh deploy/compose/new-env.sh --try-out');
  });
});

describe('backup.sh', () => {
  /** A storage, a backup folder, and a `mongodump` that writes what it was asked for. */
  function setUp() {
    const folder = newFolder();
    const [from, to, bin] = ['storage', 'backups', 'bin'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [join(from, 'generations/a'), join(from, 'incoming'), to, bin]) {
      mkdirSync(path, { recursive: true });
    }
    writeFileSync(join(from, '.packshot-storage'), 'marker');
    writeFileSync(join(from, 'generations/a/image.png'), 'image');
    writeFileSync(join(from, 'incoming/upload'), 'half');
    writeFileSync(
      join(bin, 'mongodump'),
      '#!/bin/sh\n[ "$MONGODB_URL" != broken ] || exit 1\nfor each in "$@"; do case $each in --archive=*) echo "$@" >"$(echo $each | cut -d= -f2)" ;; esac; done\n',
      { mode: 0o755 },
    );
    const run = (given: Record<string, string> = {}) =>
      execFileSync('sh', [join(rootFolder, 'deploy/compose/backup.sh'), 'once'], {
        env: {
          PATH: `${bin}:${PATH}`,
          MONGODB_URL: 'mongodb://mongo/packshot',
          BACKUP_FROM: from,
          BACKUP_TO: to,
          ...given,
        },
        encoding: 'utf8',
        stdio: 'pipe',
      });
    const list = (...paths: string[]) =>
      execFileSync('find', ['.', '-type', 'f'], { cwd: join(to, ...paths), encoding: 'utf8' })
        .trim()
        .split('\n')
        .filter(Boolean)
        .sort();
    return { folder, from, to, run, list };
  }

  test('copies the database and the files, and keeps for a while what the storage no longer has', () => {
    const { folder, from, to, run, list } = setUp();
    run();
    expect(list('database')).toEqual([expect.stringMatching(/^\.\/\d{4}-\d\d-\d\dT[\d-]+Z\.archive\.gz$/)]);
    expect(readFileSync(join(to, 'database', list('database')[0]!), 'utf8')).toContain(
      '--uri=mongodb://mongo/packshot --gzip',
    );
    expect(list('storage')).toEqual(['./.packshot-storage', './generations/a/image.png']);
    rmSync(join(from, 'generations/a'), { recursive: true });
    const old = join(to, 'database/2020-01-01T00-00-00Z.archive.gz');
    writeFileSync(old, 'old');
    utimesSync(old, new Date('2020-01-01'), new Date('2020-01-01'));
    run();
    expect(list('storage')).toEqual(['./.packshot-storage']);
    expect(list('removed')).toEqual(['./generations/a/image.png']);
    expect(list('database')).not.toContainEqual(expect.stringContaining('2020'));
    rmSync(folder, { recursive: true });
  });

  test('fails when the database does not answer or the storage is not mounted, and takes no file away', () => {
    const { folder, from, run, list } = setUp();
    expect(() => run({ MONGODB_URL: 'broken' })).toThrow();
    expect(list('storage')).toEqual([]);
    run();
    rmSync(join(from, '.packshot-storage'));
    rmSync(join(from, 'generations'), { recursive: true });
    expect(() => run()).toThrow('is the storage mounted?');
    expect(list('storage')).toContain('./generations/a/image.png');
    rmSync(folder, { recursive: true });
  });

  test('leaves out the files of a bucket, and says so', () => {
    const { folder, run, list } = setUp();
    expect(run({ STORAGE_URL: 's3://images?region=a' })).toContain('the storage is a bucket');
    expect(list('storage')).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
