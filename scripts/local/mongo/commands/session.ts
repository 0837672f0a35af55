import { hostname } from 'node:os';
import type { Doc, Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { MAX_DOCUMENT_BYTES } from '../storage/documents.ts';
import type { Command, CommandContext, Reply } from './context.ts';

/** The MongoDB version whose behaviour this server implements. */
export const VERSION = '8.0.16';
/** How long a session exists without use. */
export const SESSION_MINUTES = 30;

function buildInfo(): Reply {
  return {
    version: VERSION,
    gitVersion: 'packshot-local',
    modules: [],
    allocator: 'system',
    javascriptEngine: 'none',
    sysInfo: 'deprecated',
    versionArray: [...VERSION.split('.').map(Number), 0],
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    storageEngines: ['sqlite'],
    openssl: {},
  };
}

function serverStatus(context: CommandContext): Reply {
  const { state } = context;
  const memory = process.memoryUsage();
  return {
    host: `${hostname()}:${state.port}`,
    version: VERSION,
    process: 'packshot-local-mongo',
    pid: BigInt(process.pid),
    uptime: (Date.now() - state.startedAt) / 1000,
    uptimeMillis: BigInt(Date.now() - state.startedAt),
    localTime: new Date(),
    connections: { current: state.connections, available: 10_000, totalCreated: context.connectionId },
    mem: { bits: 64, resident: Math.round(memory.rss / 1048576), virtual: Math.round(memory.rss / 1048576) },
    metrics: { cursor: { open: { total: BigInt(state.cursors.size) } } },
    storageEngine: { name: 'sqlite', persistent: true, supportsCommittedReads: true },
  };
}

function connectionStatus(): Reply {
  return { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } };
}

function endSessions(context: CommandContext): Reply {
  const sessions = context.command.get(context.name);
  if (!Array.isArray(sessions))
    fail('TypeMismatch', `BSON field '${context.name}' is the wrong type, expected type 'array'`);
  for (const session of sessions)
    if (session instanceof Map) context.state.sessions.delete(sessionKey(session.get('id')));
  return {};
}

/** The key of a session id. */
function sessionKey(id: Value | undefined): string {
  return String(id as { toString(): string } | undefined);
}

/** Records the use of the session that a command names. */
export function touchSession(context: CommandContext): void {
  const lsid = context.command.get('lsid');
  if (lsid === undefined) return;
  if (!(lsid instanceof Map) || !lsid.has('id'))
    fail(40414, "BSON field 'lsid.id' is missing but a required field");
  const id = lsid.get('id')!;
  const key = sessionKey(id);
  const known = context.state.sessions.get(key);
  if (known) known.usedAt = new Date();
  else context.state.sessions.set(key, { id, usedAt: new Date() });
}

/** Removes sessions that were not used for longer than the timeout in the `hello` reply. */
export function expireSessions(state: CommandContext['state'], now = Date.now()): void {
  for (const [key, { usedAt }] of state.sessions) {
    if (now - usedAt.getTime() > SESSION_MINUTES * 60_000) state.sessions.delete(key);
  }
}

function getParameter(context: CommandContext): Reply {
  const parameters: Record<string, unknown> = {
    featureCompatibilityVersion: { version: '8.0' },
    enableTestCommands: true,
    ttlMonitorEnabled: true,
  };
  if (context.command.get('getParameter') === '*') return parameters;
  const reply: Reply = {};
  for (const [name, value] of Object.entries(parameters)) if (context.command.has(name)) reply[name] = value;
  if (Object.keys(reply).length === 0) fail('InvalidOptions', 'no option found to get');
  return reply;
}

function noTransaction(): Reply {
  return fail('IllegalOperation', 'Transaction numbers are only allowed on a replica set member or mongos');
}

function replicaSetOnly(): Reply {
  return fail(76, 'not running with --replSet');
}

function configureFailPoint(context: CommandContext): Reply {
  context.state.failPoints.configure(context.command);
  return { count: 0 };
}

function whatsmyuri(): Reply {
  return { you: '127.0.0.1:0' };
}

function startup(): Reply {
  return { totalLinesWritten: 0, log: [] };
}

/** Server information, sessions and test commands. */
export const sessionCommands: Record<string, Command> = {
  ping: { run: () => ({}) },
  buildInfo: { run: buildInfo },
  buildinfo: { run: buildInfo },
  serverStatus: { run: serverStatus },
  connectionStatus: { run: connectionStatus },
  hostInfo: { run: () => ({ system: { hostname: hostname() }, os: { type: process.platform }, extra: {} }) },
  getCmdLineOpts: { run: () => ({ argv: [], parsed: {} }) },
  getLog: { run: startup },
  getParameter: { run: getParameter },
  endSessions: { run: endSessions },
  killSessions: { run: endSessions },
  refreshSessions: { run: () => ({}) },
  killAllSessions: { run: () => ({}) },
  commitTransaction: { run: noTransaction },
  abortTransaction: { run: noTransaction },
  replSetGetStatus: { run: replicaSetOnly },
  replSetGetConfig: { run: replicaSetOnly },
  configureFailPoint: { run: configureFailPoint },
  whatsmyuri: { run: whatsmyuri },
  logout: { run: () => ({}) },
};

/** The application name that a client sends in its handshake. */
export function applicationName(command: Doc): string | undefined {
  const client = command.get('client');
  const application = client instanceof Map ? client.get('application') : undefined;
  const name = application instanceof Map ? application.get('name') : undefined;
  return typeof name === 'string' ? name : undefined;
}
