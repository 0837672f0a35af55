/** The examples for production without containers: nginx, systemd, and Caddy's limit. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { uploadBytesMost } from '#contract';
import { requestEndMs } from '#server/plugins/open-requests.ts';
import { settingsSchema } from '#shared/platform/settings.ts';
import { readInCheckout } from '#tests/support/checkout.ts';
import { hasNginx, startNginx } from '#tests/support/nginx.ts';

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

test.skipIf(!(await hasNginx()))('nginx passes on to a server that was away a moment ago', async () => {
  const answering = async (name: string, port = 0) => {
    const server = createServer((_request, reply) => reply.end(name)).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  const end = async (server: Server) => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const [one, two] = [await answering('one'), await answering('two')];
  const port = portOf(one);
  const nginx = await startNginx(...[one, two].map((server) => `http://127.0.0.1:${portOf(server)}`));
  onTestFinished(() => nginx.close());
  const ask = async (path: string) => {
    const reply = await fetch(nginx.url + path, { method: 'POST' });
    return reply.ok ? reply.text() : reply.status;
  };
  // A rolling restart: each is away for a moment, and is asked meanwhile.
  await end(one);
  for (const path of ['/', '/', '/socket.io', '/socket.io']) expect(await ask(path)).toBe('two');
  const again = await answering('one', port);
  await end(two);
  for (const path of ['/', '/', '/socket.io', '/socket.io']) expect(await ask(path)).toBe('one');
  await end(again);
});

const units = ['packshot-server.service', 'packshot-worker@.service', 'packshot-backup.service'] as const;

test('units stop no sooner than their programs, and set nothing that does not exist', () => {
  const [server, worker, backup] = units.map((name) => readInCheckout(`deploy/systemd/${name}`)) as [
    string,
    string,
    string,
  ];
  const stopMs = (unit: string) => Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) * 1_000;
  expect(stopMs(server)).toBeGreaterThan(requestEndMs + 4_000);
  const { WORKER_GRACE_MS: graceMs } = settingsSchema.pick({ WORKER_GRACE_MS: true }).parse({});
  expect(stopMs(worker)).toBeGreaterThan(graceMs + 8_000);
  expect(server).toMatch(/^ExecStart=\/usr\/bin\/node server\/main\.ts$/m);
  expect(worker).toMatch(/^ExecStart=\/usr\/bin\/env METRICS_PORT=%i \/usr\/bin\/node worker\/main\.ts$/m);
  // Everything else is the same.
  const hardening = (unit: string) => unit.slice(unit.indexOf('# Without MemoryDenyWriteExecute'));
  expect(hardening(worker)).toBe(hardening(server));
  expect(hardening(backup)).toBe(hardening(server));
  expect(backup).toMatch(
    /^ExecStart=\/usr\/bin\/node scripts\/backup\/main\.ts (\S+) --keep 14 --every 24 --repeat$/m,
  );
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
