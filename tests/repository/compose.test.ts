/** What docker-compose.yml gives to its services, and what each of them is bound to. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  [...readInCheckout('docs/settings.md').matchAll(/^\| `([A-Z0-9_]+)` \|.*\| ([a-z, ]+) \|$/gm)].map(
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

test('a dollar sign begins a variable of the file, or is doubled for a shell in a container', () => {
  const others = text.split('\n').filter((line) => /\$/.test(line.replace(/\$\$|\$\{\w+/g, '')));
  expect(others).toEqual([]);
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
    for (const name of ['MONGODB_PASSWORD', 'REDIS_PASSWORD', 'SEALING_KEYS', 'WEBHOOK_KEYS']) {
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${name}=[0-9a-f]{64}$`)));
    }
    expect(new Set(made.match(/[0-9a-f]{64}/g)).size).toBe(4);
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

describe('backups', () => {
  test('run the command of the product, on the storage, with no secret of other programs', () => {
    const { command, volumes } = services.backup as Service & { volumes: string[] };
    const [node, script, folder, ...options] = command!.map((word) =>
      interpolated(word, { BACKUP_KEEP: '3' }),
    );
    expect([node, script]).toEqual(['node', 'scripts/backup/main.ts']);
    expect(options).toEqual(['--keep', '3', '--every', '24', '--repeat']);
    expect(volumes.map((volume) => interpolated(volume, {}))).toEqual(['storage:/data', `backups:${folder}`]);
    const secrets = [
      ...Object.keys({ ...unneededSecretsOf('server'), ...unneededSecretsOf('worker'), ...passwords }),
      'STRIPE_SECRET_KEY',
    ];
    const variables = Object.fromEntries(secrets.map((name) => [name, 'secret']));
    const environment = environmentOf(services.backup!, variables);
    expect(secrets.map((name) => environment[name])).toEqual(secrets.map(() => ''));
    expect(environment.MONGODB_URL).toMatch(/^mongodb:.*@mongo/);
  });
});

describe('mongo.sh', () => {
  /** Runs it with programs that write what they were started with. */
  function run(...words: string[]): { output: string; key: string } {
    const folder = newFolder();
    const key = join(folder, 'key');
    for (const name of ['mongod', 'mongosh', 'docker-entrypoint.sh', 'chown']) {
      const program = `#!/bin/sh\nif [ ${name} = chown ]; then exit; fi\nfor each in ${name} "$@"; do echo "$each"; done\n`;
      writeFileSync(join(folder, name), program, { mode: 0o755 });
    }
    const output = execFileSync('bash', [join(rootFolder, 'deploy/compose/mongo.sh'), ...words], {
      env: { PATH: `${folder}:${PATH}`, MONGO_INITDB_ROOT_PASSWORD: 'one', MONGO_KEY_FILE: key },
      encoding: 'utf8',
    });
    const made = words.length === 0 ? readFileSync(key, 'utf8') : '';
    if (words.length === 0) expect(statSync(key).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
    return { output, key: made };
  }

  test('starts a replica set, which has snapshots, with a key that nobody else can read', () => {
    const { output, key } = run();
    expect(output).toMatch(/^docker-entrypoint\.sh\nmongod\n--replSet\npackshot\n--keyFile\n/);
    expect(output).toContain('minSnapshotHistoryWindowInSeconds=3600');
    // MongoDB takes 6 to 1,024 characters of base64.
    expect(key).toMatch(/^[0-9a-f]{64}\n$/);
    const { command, entrypoint, healthcheck } = services.mongo as Service & { entrypoint: string[] };
    expect([command, entrypoint]).toEqual([undefined, ['bash', '/mongo.sh']]);
    expect(healthcheck).toMatchObject({ test: ['CMD', 'bash', '/mongo.sh', 'healthy'] });
  });

  test.each([
    ['the server that makes the user is not healthy', 76, [], 1, []],
    ['a new server becomes the only member, and is not healthy yet', 94, [], 1, ['mongo:27017']],
    ['a member that takes no writes is not healthy', undefined, [2], 1, []],
    ['a primary is healthy', undefined, [1], 0, []],
  ])('%s', (_name, failure, [state], code, members) => {
    const script = run('healthy').output.split('--eval\n')[1]!;
    const made: string[] = [];
    class Ended extends Error {}
    const ends: number[] = [];
    const quit = (with_: number) => {
      ends.push(with_);
      throw new Ended();
    };
    const rs = {
      status() {
        if (failure !== undefined) throw Object.assign(new Error('no status'), { code: failure });
        return { myState: state };
      },
      initiate: (set: { members: { host: string }[] }) => made.push(...set.members.map(({ host }) => host)),
    };
    expect(() => new Function('db', 'rs', 'quit', script)({ auth() {} }, rs, quit)).toThrow(Ended);
    expect([ends, made]).toEqual([[code], members]);
  });
});
