import { isTruthy, type Maybe } from '../bson/values.ts';
import { fail } from '../errors.ts';
import type { CommandContext } from './context.ts';

/** The commands of MongoDB's Stable API, version 1, that this server supports. */
const COMMANDS = new Set(
  ['aggregate', 'bulkWrite', 'collMod', 'count', 'create', 'createIndexes', 'delete', 'drop'].concat(
    ['dropDatabase', 'dropIndexes', 'endSessions', 'explain', 'find', 'findAndModify', 'getMore'],
    ['hello', 'insert', 'killCursors', 'listCollections', 'listDatabases', 'listIndexes', 'ping'],
    ['refreshSessions', 'update'],
  ),
);

/** Options of `find` that are not part of the Stable API. */
const UNSTABLE_FIND = [
  'awaitData',
  'max',
  'min',
  'noCursorTimeout',
  'oplogReplay',
  'returnKey',
  'showRecordId',
  'tailable',
];

/** Stages that are not part of the Stable API. */
const UNSTABLE_STAGES = [
  '$currentOp',
  '$indexStats',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
];

/**
 * Enforces the API version that a client declares in its command.
 * @throws APIVersionError (322) for a version other than 1, APIStrictError (323) for what version 1 does not contain,
 * InvalidOptions (72) for a declaration without a version
 */
export function checkApiVersion({ command, name }: CommandContext): void {
  const version = command.get('apiVersion');
  if (version === undefined) {
    if (command.has('apiStrict') || command.has('apiDeprecationErrors')) {
      fail('InvalidOptions', 'Provided apiStrict or apiDeprecationErrors without passing apiVersion');
    }
    return;
  }
  if (version !== '1') fail('APIVersionError', 'API version must be "1"');
  if (!isTruthy(command.get('apiStrict') ?? false)) return;
  if (!COMMANDS.has(name)) {
    fail('APIStrictError', `Provided apiStrict:true, but the command ${name} is not in API Version 1`);
  }
  const unstable = name === 'find' ? UNSTABLE_FIND.find((option) => command.has(option)) : undefined;
  if (unstable) fail('APIStrictError', `BSON field 'find.${unstable}' is not allowed with apiStrict:true.`);
  if (name === 'aggregate') checkStages(command.get('pipeline'));
}

function checkStages(pipeline: Maybe): void {
  // An invalid pipeline is rejected by the command itself.
  if (!Array.isArray(pipeline)) return;
  for (const stage of pipeline) {
    if (!(stage instanceof Map)) continue;
    const unstable = UNSTABLE_STAGES.find((name) => stage.has(name));
    if (unstable) {
      fail('APIStrictError', `stage ${unstable} is not allowed with 'apiStrict: true' in API Version 1`);
    }
    const statistics = stage.get('$collStats');
    if (statistics instanceof Map && [...statistics.keys()].some((field) => field !== 'count')) {
      fail('APIStrictError', "only the 'count' option to $collStats is supported in API Version 1");
    }
  }
}
