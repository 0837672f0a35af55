/** Redis as operators run it: a cluster, with sentinels, with TLS. From the `redis-server` installed on this machine. */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startWatchedProgram, type WatchedProgram } from '#local/parent-watchdog.ts';
import { findFreePort } from './free-port.ts';
import { temporaryFolder } from './local-stores.ts';
import { limitMs } from './machine.ts';

const run = promisify(execFile);
const path = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/opt/homebrew/bin';

interface RedisProcess extends WatchedProgram {
  port: number;
}

/** Several Redis processes that belong together. */
export interface Topology {
  /** For `QUEUE_URL`. */
  url: string;
  /** Kills the process that has the queue, as `kill -9` does. */
  killMaster(): Promise<void>;
  /** Waits until another process has the queue. */
  untilReplaced(): Promise<void>;
  close(): Promise<void>;
}

async function startRedisProcess(folder: string, options: Record<string, string>): Promise<RedisProcess> {
  const port = options.port === '0' ? Number(options['tls-port']) : Number(options.port);
  const all = {
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    'repl-diskless-sync-delay': '0',
    ...options,
  };
  const program = await startWatchedProgram({
    command: ['redis-server', ...Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])],
    env: { PATH: path },
    isReady: (line) => /ready to accept connections/i.test(line),
  });
  return { ...program, port };
}

async function cli(port: number, ...args: string[]): Promise<string> {
  return (await run('redis-cli', ['-p', String(port), ...args], { env: { PATH: path } })).stdout;
}

/** Kills a server as `kill -9` does. */
async function killServer(port: number, ...options: string[]): Promise<void> {
  const info = await cli(port, '--no-auth-warning', ...options, 'info', 'server');
  process.kill(Number(/process_id:(\d+)/.exec(info)![1]), 'SIGKILL');
}

const pollIntervalMs = 100;

/**
 * Waits until a condition holds.
 * @param holds true, or what is the case instead
 * @throws after {@link mostMs}, with what went wrong last
 */
async function until(what: string, holds: () => Promise<boolean | string>): Promise<void> {
  let last: unknown;
  for (const end = performance.now() + mostMs; performance.now() < end; await wait(pollIntervalMs)) {
    const result = await holds().catch((error: Error) => error.message);
    if (result === true) return;
    last = result;
  }
  throw new Error(`${what}: not ready within ${mostMs} ms: ${last}`);
}
// A failover whose vote was split is begun again after twice the failover timeout.
const mostMs = limitMs(60_000);

/** A cluster. */
export interface ClusterTopology extends Topology {
  /** Takes a slot away from it, so that it fails. @returns gives the slot back, and waits until the cluster works again */
  fail(): Promise<() => Promise<void>>;
}

/** Three masters and a replica of each. */
export async function startCluster(): Promise<ClusterTopology> {
  const folder = await temporaryFolder('redis-cluster');
  const nodes: RedisProcess[] = [];
  for (let index = 0; index < 6; index += 1) {
    const port = await findFreePort();
    nodes.push(
      await startRedisProcess(folder, {
        port: String(port),
        'cluster-enabled': 'yes',
        'cluster-port': String(await findFreePort()),
        'cluster-config-file': `nodes-${port}.conf`,
        'cluster-node-timeout': String(limitMs(1_500)),
      }),
    );
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'], {
    env: { PATH: path },
  });
  // A replica that has not copied its master yet would not take its place.
  const isReady = async (port: number) => {
    const replication = await cli(port, 'info', 'replication');
    return (
      /cluster_state:ok/.test(await cli(port, 'cluster', 'info')) &&
      (/role:master/.test(replication) ? /connected_slaves:1/ : /master_link_status:up/).test(replication)
    );
  };
  for (const { port } of nodes) await until('the cluster', () => isReady(port));
  const slot = Number((await cli(nodes[0]!.port, 'cluster', 'keyslot', '{packshot}')).trim());
  let killed = 0;
  return {
    url: `redis+cluster://${addresses.slice(0, 3).join(',')}`,
    async fail() {
      const owner = await masterOf(nodes[0]!.port, 0);
      const states = (state: string) => async () => {
        const infos = await Promise.all(nodes.map(({ port }) => cli(port, 'cluster', 'info')));
        return infos.every((info) => info.includes(`cluster_state:${state}`));
      };
      // The owner first: the others would learn it from there again.
      for (const port of [owner, ...nodes.map((node) => node.port).filter((port) => port !== owner)]) {
        await cli(port, 'cluster', 'delslots', '0');
      }
      await until('the failure', states('fail'));
      return async () => {
        await cli(owner, 'cluster', 'addslots', '0');
        await until('the cluster', states('ok'));
      };
    },
    async killMaster() {
      killed = await masterOf(nodes[0]!.port, slot);
      await killServer(killed);
    },
    async untilReplaced() {
      for (const { port } of nodes) {
        if (port !== killed)
          await until('the new master', async () => (await masterOf(port, slot)) !== killed);
      }
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @returns the port of the master that has a slot */
async function masterOf(port: number, slot: number): Promise<number> {
  const lines = (await cli(port, 'cluster', 'nodes')).split('\n');
  for (const line of lines) {
    const [, address = '', flags = '', , , , , , ...ranges] = line.split(' ');
    if (!flags.includes('master')) continue;
    for (const range of ranges) {
      const [from, to = from] = range.split('-').map(Number);
      if (slot >= from! && slot <= to!) return Number(/:(\d+)/.exec(address)![1]);
    }
  }
  throw new Error(`no node has slot ${slot}`);
}

/** A master with a replica, and three sentinels that watch them. */
export async function startSentinels(): Promise<Topology> {
  const folder = await temporaryFolder('redis-sentinel');
  const password = 'redis-secret';
  const ports = [await findFreePort(), await findFreePort()] as const;
  const common = { requirepass: password, masterauth: password };
  const master = await startRedisProcess(folder, { ...common, port: String(ports[0]) });
  const replica = await startRedisProcess(folder, {
    ...common,
    port: String(ports[1]),
    replicaof: `127.0.0.1 ${ports[0]}`,
  });
  // A replica that has not copied its master yet would begin without jobs, or not at all.
  await until('the replica', async () =>
    /master_link_status:up/.test(
      await cli(ports[1], '--no-auth-warning', '-a', password, 'info', 'replication'),
    ),
  );
  const sentinels: WatchedProgram[] = [];
  const sentinelPorts: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    const port = await findFreePort();
    sentinelPorts.push(port);
    sentinels.push(await startSentinel(folder, port, ports[0], password));
  }
  for (const port of sentinelPorts) {
    await until('the sentinels', async () => {
      const lines = await cli(port, 'sentinel', 'ckquorum', 'packshot');
      return /^OK 3/.test(lines) && /name/.test(await cli(port, 'sentinel', 'replicas', 'packshot'));
    });
  }
  return {
    url: `redis+sentinel://:${password}@${sentinelPorts.map((port) => `127.0.0.1:${port}`).join(',')}/packshot`,
    killMaster: () => killServer(ports[0], '-a', password),
    async untilReplaced() {
      const address = ['sentinel', 'get-master-addr-by-name', 'packshot'];
      for (const port of sentinelPorts) {
        await until('the new master', async () => {
          const [, now] = (await cli(port, ...address)).trim().split('\n');
          return Number(now) === ports[1] || now!;
        });
      }
    },
    async close() {
      await Promise.all([...sentinels, master, replica].map((each) => each.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startSentinel(folder: string, port: number, master: number, password: string) {
  const file = join(folder, `sentinel-${port}.conf`);
  await writeFile(
    file,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor packshot 127.0.0.1 ${master} 2`,
      `sentinel auth-pass packshot ${password}`,
      `sentinel down-after-milliseconds packshot ${limitMs(1_000)}`,
      `sentinel failover-timeout packshot ${limitMs(5_000)}`,
      '',
    ].join('\n'),
  );
  return startWatchedProgram({
    command: ['redis-server', file, '--sentinel'],
    env: { PATH: path },
    isReady: (line) => /Sentinel ID is/i.test(line),
  });
}

/** One Redis with TLS, whose certificate an authority of its own has signed. */
export async function startTlsRedis(): Promise<Pick<Topology, 'url' | 'close'>> {
  const folder = await temporaryFolder('redis-tls');
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => run('openssl', args, { env: { PATH: path } });
  await openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=Test authority',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
  );
  await openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-keyout',
    file('redis.key'),
    '-out',
    file('redis.csr'),
  );
  await openssl(
    'x509',
    '-req',
    '-in',
    file('redis.csr'),
    '-CA',
    file('ca.pem'),
    '-CAkey',
    file('ca.key'),
    '-CAcreateserial',
    '-days',
    '1',
    '-copy_extensions',
    'copy',
    '-out',
    file('redis.pem'),
  );
  const redis = await startRedisProcess(folder, {
    port: '0',
    'tls-port': String(await findFreePort()),
    'tls-cert-file': file('redis.pem'),
    'tls-key-file': file('redis.key'),
    'tls-ca-cert-file': file('ca.pem'),
    'tls-auth-clients': 'no',
  });
  return {
    url: `rediss://127.0.0.1:${redis.port}?ca=${file('ca.pem')}`,
    async close() {
      await redis.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
