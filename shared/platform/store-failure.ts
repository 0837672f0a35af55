/** Why a store cannot be used when a program starts, in the words of the settings (docs/settings.md). */

/** The settings that say where a store is. */
export type StoreSetting = 'MONGODB_URL' | 'QUEUE_URL' | 'STORAGE_URL';

/** A store cannot be used. The message is one line for the operator, with its setting and without a password. */
export class StoreFailure extends Error {
  override name = 'StoreFailure';

  constructor(setting: StoreSetting, error: unknown) {
    super(`${setting}: ${describeStoreFailure(error)}`, { cause: error });
  }
}

/** What drivers put into their errors. */
interface DriverError extends Error {
  code?: string | number;
  hostname?: string;
  address?: string;
  port?: number;
  errors?: unknown[];
  lastNodeError?: unknown;
  /** Of MongoDB's driver: the servers that it asked. */
  reason?: { type?: string; setName?: string | null; servers?: Map<string, { error?: unknown }> };
}

/** A kind of failure: how it is known, and what it means. */
type Kind = [matches: (error: DriverError) => boolean, describe: (error: DriverError) => string];

const hasCode = (...codes: (string | number)[]) => {
  return ({ code }: DriverError) => code !== undefined && codes.includes(code);
};
const says = (pattern: RegExp) => (error: DriverError) => pattern.test(error.message);
const either =
  (...matches: Kind[0][]) =>
  (error: DriverError) =>
    matches.some((each) => each(error));

/** `host:port` of a failed connection, as far as it is known. */
function placeOf({ address, hostname, port, message }: DriverError): string {
  const host =
    address ?? hostname ?? /(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT) ([\w.:-]+)/.exec(message)?.[1];
  if (host === undefined) return 'its address';
  return port === undefined ? host : `${host}:${port}`;
}

/** The first kind that any of an error's causes has; a refused password before the closed connection that follows it. */
const kinds: Kind[] = [
  [
    // MongoDB 18 and Atlas 8000; PostgreSQL 28P01 and 28000; Redis.
    either(
      hasCode(18, 8_000, '28P01', '28000'),
      says(
        /^(?:WRONGPASS|ERR AUTH|ERR invalid password)|invalid username-password|bad auth|Authentication failed/,
      ),
    ),
    () =>
      'it refuses the user name or the password. In a URL, characters such as @ / : % # of a password are written with %',
  ],
  [
    either(
      hasCode(13),
      says(/^NOAUTH|requires authentication|no password was provided|password must be a string/i),
    ),
    () => 'it asks for a user name and password, and the URL has none',
  ],
  [says(/^NOPERM/), ({ message }) => `its user may not do what Packshot needs (${message})`],
  [
    either(hasCode('3D000'), says(/DB index is out of range|invalid DB index/)),
    ({ message }) => `there is no such database (${message}): correct the end of the URL`,
  ],
  [
    either(
      says(/wire version|MongoDB \d.* (?:is required|or newer)|older than/),
      says(/[Rr]edis version needs to be greater/),
    ),
    ({ message }) => `its version is too old (${message})`,
  ],
  [
    either(
      ({ code }) =>
        /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO$|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(?:VERIFY|GET))/.test(
          String(code),
        ),
      says(/SSL|TLS|certificate|wrong version number|packet length too long/i),
    ),
    ({ code, message }) =>
      `there is no encrypted connection (${code ?? message.split('. ')[0]}): does the server use TLS, and does the machine trust its certificate?`,
  ],
  [
    either(hasCode('ENOTFOUND', 'EAI_AGAIN'), says(/ENOTFOUND|EAI_AGAIN/)),
    (error) => `the host ${placeOf(error)} is not known: check its name`,
  ],
  [
    either(hasCode('ECONNREFUSED'), says(/ECONNREFUSED/)),
    (error) => `nothing answers at ${placeOf(error)}: is it running, and is the port right?`,
  ],
  [
    either(hasCode('ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'), says(/ETIMEDOUT|timed? ?out/i)),
    (error) =>
      `there is no answer from ${placeOf(error)} in time: check the address, the firewalls between, and whether it uses TLS`,
  ],
  [
    // ioredis does not say what each of them answered.
    says(/All sentinels are unreachable|None of startup nodes|Failed to refresh slots/),
    () =>
      'none of the hosts in its URL answers as a sentinel or node: are hosts, ports, passwords and TLS right?',
  ],
  [
    either(
      hasCode('ECONNRESET', 'EPIPE'),
      says(/^connection .*closed|Connection is closed|terminated unexpectedly/i),
    ),
    () => 'it closes the connection at once: is it another service, or does it use TLS and the URL does not?',
  ],
];

/**
 * Describes why a store cannot be used.
 * @returns a sentence without full stop and without a password
 */
export function describeStoreFailure(error: unknown): string {
  const causes = causesOf(error);
  const replicaSet = causes.find(({ reason }) => reason?.type === 'ReplicaSetNoPrimary');
  const text = describeCauses(causes);
  if (replicaSet && !text.isSure) {
    const name = replicaSet.reason?.setName ?? '';
    return `no server says that it is the primary of the replica set ${name}: is replicaSet= right, was the set initiated, and are most of its members running?`;
  }
  return withoutPasswords(text.text);
}

function describeCauses(causes: DriverError[]): { text: string; isSure: boolean } {
  for (const [matches, describe] of kinds) {
    const found = causes.find(matches);
    // The driver's own timeout says nothing about the cause.
    if (found) return { text: describe(found), isSure: !/timed out after/.test(found.message) };
  }
  return { text: causes[0]?.message.split('\n')[0] ?? 'it failed', isSure: false };
}

/** How deep errors are nested at most: they may form a cycle. */
const maxDepth = 6;

/** An error and what caused it, the nearest first. */
function causesOf(error: unknown, depth = 0): DriverError[] {
  if (!(error instanceof Error) || depth > maxDepth) return [];
  const { errors = [], reason, lastNodeError, cause } = error as DriverError;
  const servers = reason?.servers instanceof Map ? [...reason.servers.values()] : [];
  const inner = [...servers.map((server) => server.error), ...errors, lastNodeError, cause];
  return [error as DriverError, ...inner.flatMap((each) => causesOf(each, depth + 1))];
}

const withoutPasswords = (text: string) => text.replace(/\/\/[^\s/@]*@/g, '//…@');
