import { Double } from 'bson';
import { type Maybe, toNumber } from '../bson/values.ts';
import { codeName, fail, MongoServerError } from '../errors.ts';
import { aggregateCommands } from './aggregate.ts';
import { authenticationCommands, checkSignedIn } from './authentication.ts';
import { collectionCommands } from './collections.ts';
import { type Command, type CommandContext, type Reply, wrongType } from './context.ts';
import { checkFields, crudCommands } from './crud.ts';
import { explainCommands } from './explain.ts';
import { helloCommands } from './hello.ts';
import { indexCommands } from './indexes.ts';
import { readCommands } from './read.ts';

const commands: Map<string, Command> = new Map(
  Object.entries({
    ...readCommands,
    ...crudCommands,
    ...aggregateCommands,
    ...collectionCommands,
    ...indexCommands,
    ...explainCommands,
    ...helloCommands,
    ...authenticationCommands,
    ping: { run: () => ({}), fields: [] },
    // A session is only an id here: nothing depends on it, because there are no transactions.
    endSessions: { run: () => ({}), fields: [] },
  }),
);

/** MongoDB sends `ok` as a double. */
const ONE = new Double(1);
const ZERO = new Double(0);

/** Fields that every command accepts. */
const GENERIC_FIELDS = [
  '$db',
  'lsid',
  'txnNumber',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  'autocommit',
  'startTransaction',
];

/** Runs a command. Errors become MongoDB's error replies: `ok: 0`, `errmsg`, `code`, `codeName`. */
export function runCommand(context: CommandContext): Reply {
  try {
    const command = commands.get(context.name);
    if (!command) fail('CommandNotFound', `no such command: '${context.name}'`);
    checkSignedIn(context);
    if (command.fields) {
      checkFields(context.command.keys(), [context.name, ...GENERIC_FIELDS, ...command.fields], context.name);
    }
    checkGeneric(context);
    return { ...command.run(context), ok: ONE };
  } catch (error) {
    return errorReply(error);
  }
}

/** The reply for an error. */
export function errorReply(error: unknown): Reply {
  if (error instanceof MongoServerError) {
    return {
      ok: ZERO,
      errmsg: error.message,
      code: error.code,
      codeName: codeName(error.code),
      ...error.fields,
    };
  }
  console.error('local MongoDB server:', error);
  const message = error instanceof Error ? error.message : String(error);
  return { ok: ZERO, errmsg: `internal error: ${message}`, code: 1, codeName: 'InternalError' };
}

function checkGeneric(context: CommandContext): void {
  const { command } = context;
  if (command.has('apiVersion') || command.has('apiStrict') || command.has('apiDeprecationErrors'))
    fail('InvalidOptions', 'this server has no Stable API');
  const lsid = command.get('lsid');
  if (lsid !== undefined && !(lsid instanceof Map && lsid.has('id')))
    fail(40414, "BSON field 'lsid.id' is missing but a required field");
  if (command.has('txnNumber') || command.has('startTransaction') || command.has('autocommit')) {
    if (!command.has('lsid'))
      fail('InvalidOptions', 'Transaction number requires a session ID to also be specified');
    fail('IllegalOperation', 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  checkMaxTime(command.get('maxTimeMS'));
  checkWriteConcern(command.get('writeConcern'));
  checkReadConcern(command.get('readConcern'));
}

function checkMaxTime(value: Maybe): void {
  if (value === undefined) return;
  const ms = toNumber(value);
  if (Number.isNaN(ms)) wrongType('maxTimeMS', value, "types '[long, int, decimal, double]'");
  if (ms < 0 || ms > 2147483647)
    fail('BadValue', `${ms} value for maxTimeMS is out of range [0, 2147483647]`);
}

function checkWriteConcern(concern: Maybe): void {
  if (concern === undefined) return;
  if (!(concern instanceof Map)) wrongType('writeConcern', concern, "type 'object'");
  const w = concern.get('w');
  if (typeof w === 'string' && w !== 'majority')
    fail('BadValue', `cannot use non-majority 'w' mode "${w}" when a host is not a member of a replica set`);
  if (w !== undefined && typeof w !== 'string' && toNumber(w) > 1)
    fail('BadValue', "cannot use 'w' > 1 when a host is not replicated");
}

function checkReadConcern(concern: Maybe): void {
  if (concern === undefined) return;
  if (!(concern instanceof Map)) wrongType('readConcern', concern, "type 'object'");
  const level = concern.get('level');
  if (level === undefined || level === 'local' || level === 'available' || level === 'majority') return;
  if (level === 'linearizable' || level === 'snapshot') {
    fail(123, 'node needs to be a replica set member to use read concern');
  }
  fail(
    'BadValue',
    `Enumeration value '${String(level as string)}' for field 'readConcern.level' is not a valid value.`,
  );
}
