import { readFileSync } from 'node:fs';

/** Redis in one of its topologies. */
export interface RedisStore {
  kind: 'redis';
  topology: 'single' | 'sentinel' | 'cluster';
  /** The server; the sentinels; or some nodes of the cluster. */
  nodes: { host: string; port: number }[];
  username?: string;
  password?: string;
  /** Number of the database; always 0 in a cluster. */
  db: number;
  /** The name under which the sentinels know the master; empty without sentinels. */
  masterName: string;
  sentinelPassword?: string;
  /** Null without TLS. `ca`: certificate of the authority, in PEM; absent for those that Node trusts. */
  tls: { ca?: string } | null;
}

/** Where the queue is. */
export type QueueStore = { kind: 'postgres'; url: string } | RedisStore;

/** What is wrong with a URL of the queue, as the end of a sentence about it. */
export class QueueUrlError extends Error {
  override name = 'QueueUrlError';
}

const schemes = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(.*)$/;
/** Address, path and query of a URL with one host or several, which `URL` cannot read. */
const partsOfUrl = /^(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const defaultPorts = { single: 6_379, sentinel: 26_379, cluster: 6_379 } as const;
const parameters = {
  single: ['ca'],
  sentinel: ['ca', 'sentinelPassword', 'db'],
  cluster: ['ca'],
} as const satisfies Record<RedisStore['topology'], readonly string[]>;

/**
 * Reads `QUEUE_URL`. Besides the usual URLs of PostgreSQL and Redis:
 * - `redis+sentinel://[[user]:password@]host[:port],…/master?db=0&sentinelPassword=…`
 * - `redis+cluster://[[user]:password@]host[:port],…`
 * - `rediss` instead of `redis` for TLS, with `?ca=` the file of an authority that Node does not trust by itself
 * @throws QueueUrlError, whose message never has a password
 */
export function parseQueueUrl(text: string): QueueStore {
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: 'postgres', url: text };
  const [, scheme, topology = 'single', rest = ''] = schemes.exec(text) ?? [];
  if (scheme === undefined) {
    throw new QueueUrlError(
      'must start with redis://, rediss://, redis+sentinel://, redis+cluster:// or postgres://',
    );
  }
  return parseRedis(topology as RedisStore['topology'], scheme === 'rediss', rest);
}

function parseRedis(topology: RedisStore['topology'], secure: boolean, rest: string): RedisStore {
  const [, credentials, hosts = '', path = '', query = ''] = partsOfUrl.exec(rest) ?? [];
  const given = new URLSearchParams(query);
  const allowed: readonly string[] = parameters[topology];
  for (const name of given.keys()) {
    if (!allowed.includes(name)) {
      throw new QueueUrlError(`has the parameter "${name}"; known are ${allowed.join(', ')}`);
    }
  }
  const nodes = hosts.split(',').map((host) => parseHost(host, defaultPorts[topology]));
  if (topology === 'single' && nodes.length > 1) {
    throw new QueueUrlError('has several hosts: use redis+sentinel:// or redis+cluster://');
  }
  const sentinelPassword = given.get('sentinelPassword');
  return {
    kind: 'redis',
    topology,
    nodes,
    ...parseCredentials(credentials),
    db: databaseOf(topology, path, given),
    masterName: topology === 'sentinel' ? masterNameOf(path) : '',
    ...(sentinelPassword !== null && { sentinelPassword }),
    tls: tlsOf(secure, given.get('ca')),
  };
}

function parseHost(text: string, defaultPort: number): RedisStore['nodes'][number] {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([^:[\]\s]+))(?::(\d+))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? defaultPort : Number(port);
  if (host === undefined || number < 1 || number > 65_535) {
    throw new QueueUrlError(text === '' ? 'has no host' : `has the host "${text}", which is not host:port`);
  }
  return { host, port: number };
}

function parseCredentials(text: string | undefined): Pick<RedisStore, 'username' | 'password'> {
  if (text === undefined || text === '') return {};
  const colon = text.indexOf(':');
  try {
    // Without a colon it is a user name, as in every other URL.
    const username = decodeURIComponent(colon < 0 ? text : text.slice(0, colon));
    const password = colon < 0 ? '' : decodeURIComponent(text.slice(colon + 1));
    return { ...(username !== '' && { username }), ...(password !== '' && { password }) };
  } catch {
    throw new QueueUrlError('has a user name or password that is not percent-encoded');
  }
}

function databaseOf(topology: RedisStore['topology'], path: string, given: URLSearchParams): number {
  if (topology === 'cluster') {
    if (path !== '' && path !== '0') throw new QueueUrlError('names a database; a cluster has only number 0');
    return 0;
  }
  const text = topology === 'single' ? path : (given.get('db') ?? '');
  if (!/^\d{0,4}$/.test(text)) throw new QueueUrlError(`has the database "${text}", which is not a number`);
  return Number(text);
}

function masterNameOf(path: string): string {
  if (!/^[\w.-]+$/.test(path)) {
    throw new QueueUrlError('must name the master after the hosts, such as redis+sentinel://a,b,c/mymaster');
  }
  return path;
}

function tlsOf(secure: boolean, ca: string | null): RedisStore['tls'] {
  if (!secure) {
    if (ca !== null) throw new QueueUrlError('has "ca", which is only for rediss');
    return null;
  }
  if (ca === null) return {};
  try {
    return { ca: readFileSync(ca, 'utf8') };
  } catch (error) {
    throw new QueueUrlError(
      `names the file "${ca}", which cannot be read (${(error as { code?: string }).code})`,
    );
  }
}
