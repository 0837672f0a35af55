/** The examples for production without containers: nginx, systemd, and Caddy's limit. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { uploadBytesMost } from '#contract';
import { requestEndMs } from '#server/plugins/open-requests.ts';
import { settingsSchema } from '#shared/platform/settings.ts';
import { readInCheckout } from '#tests/support/checkout.ts';
import { hasNginx } from '#tests/support/nginx.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'packshot-deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const run = (command: string, ...options: string[]) =>
  execFileSync(command, options, { encoding: 'utf8', stdio: 'pipe' });

function isInstalled(command: string): boolean {
  try {
    run(command, '--version');
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['deploy/nginx/packshot.conf', /client_max_body_size (\d+)m;/],
  ['deploy/caddy/Caddyfile', /max_size (\d+)MiB/],
])('%s lets the largest form through, and not much more', (file, limit) => {
  const bytes = Number(limit.exec(readInCheckout(file))![1]) * 2 ** 20;
  expect(bytes).toBeGreaterThanOrEqual(uploadBytesMost);
  expect(bytes).toBeLessThan(uploadBytesMost + 2 ** 20);
});

test.skipIf(!(await hasNginx()))('nginx accepts its example as it is, with a certificate', () => {
  const folder = newFolder();
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  run(
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=packshot.example',
    '-keyout',
    key,
    '-out',
    certificate,
  );
  const example = readInCheckout('deploy/nginx/packshot.conf').replaceAll(
    '/etc/letsencrypt/live/packshot.example',
    folder,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${example}\n}\n`);
  expect(() => run('nginx', '-t', '-q', '-c', file)).not.toThrow();
});

const units = ['packshot-server.service', 'packshot-worker@.service'] as const;

test('units stop no sooner than their programs, and set nothing that does not exist', () => {
  const [server, worker] = units.map((name) => readInCheckout(`deploy/systemd/${name}`)) as [string, string];
  const stopMs = (unit: string) => Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) * 1_000;
  expect(stopMs(server)).toBeGreaterThan(requestEndMs + 4_000);
  const { WORKER_GRACE_MS: graceMs } = settingsSchema.pick({ WORKER_GRACE_MS: true }).parse({});
  expect(stopMs(worker)).toBeGreaterThan(graceMs + 8_000);
  expect(server).toMatch(/^ExecStart=\/usr\/bin\/node server\/main\.ts$/m);
  expect(worker).toMatch(/^ExecStart=\/usr\/bin\/env METRICS_PORT=%i \/usr\/bin\/node worker\/main\.ts$/m);
  // Everything else is the same.
  const hardening = (unit: string) => unit.slice(unit.indexOf('# Without MemoryDenyWriteExecute'));
  expect(hardening(worker)).toBe(hardening(server));
  // V8 could not start.
  for (const unit of [server, worker]) expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
});

test.skipIf(!isInstalled('systemd-analyze')).each(units)('systemd accepts %s, and calls it safe', (name) => {
  const folder = newFolder();
  // A Node that this machine has.
  const unit = readInCheckout(`deploy/systemd/${name}`).replace('/usr/bin/node', process.execPath);
  const file = join(folder, name.replace('@', '@9465'));
  writeFileSync(file, unit);
  expect(() => run('systemd-analyze', 'verify', '--man=no', file)).not.toThrow();
  // 0 is safe and 100 is not; a unit without any restriction has 96.
  expect(() => run('systemd-analyze', 'security', '--offline=true', '--threshold=25', file)).not.toThrow();
});
