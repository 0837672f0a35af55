import { ObjectId } from 'bson';
import type { Doc, Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { MAX_MESSAGE_BYTES } from '../protocol/wire.ts';
import { MAX_DOCUMENT_BYTES } from '../storage/collection.ts';
import { signInOf } from './authentication.ts';
import {
  type Command,
  type CommandContext,
  countField,
  documentField,
  majorVersion,
  type Reply,
} from './context.ts';

/** The wire protocol of each major version of MongoDB that this server can be. */
const MAX_WIRE_VERSIONS: Readonly<Record<number, number>> = { 5: 13, 6: 17, 7: 21, 8: 25 };

/** The counter of the `topologyVersion`: the topology of a standalone server never changes. */
const COUNTER = 0n;

/**
 * The handshake, also used by drivers for monitoring. A client that names the current `topologyVersion` asks for a
 * reply when the topology changes or `maxAwaitTimeMS` has passed; with `exhaustAllowed`, for one reply after another.
 * @throws 31368, 31372, 51764, 51756 for fields that contradict each other
 */
function hello(context: CommandContext): Reply {
  const topologyVersion: Doc = new Map<string, Value>([
    ['processId', context.state.processId],
    ['counter', COUNTER],
  ]);
  const maxAwaitMs = countField(context, 'maxAwaitTimeMS');
  const isCurrent = namesCurrentTopology(context, maxAwaitMs !== undefined);
  if (context.exhaustAllowed) {
    if (maxAwaitMs === undefined)
      fail(51756, "An isMaster or hello request with exhaust must specify 'maxAwaitTimeMS'");
    context.nextInvocation = new Map(context.command).set('topologyVersion', topologyVersion);
  }
  if (isCurrent) context.replyAfterMs = maxAwaitMs;
  return {
    helloOk: true,
    ...(context.name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
    topologyVersion,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 100_000,
    // The time at which the reply is sent.
    localTime: new Date(Date.now() + (context.replyAfterMs ?? 0)),
    logicalSessionTimeoutMinutes: 30,
    connectionId: context.connectionId,
    minWireVersion: 0,
    maxWireVersion: MAX_WIRE_VERSIONS[majorVersion(context.state)]!,
    readOnly: false,
    ...signInOf(context),
  };
}

/** Whether the command has a `topologyVersion` and it is the server's current one. */
function namesCurrentTopology(context: CommandContext, hasMaxAwait: boolean): boolean {
  const given = documentField(context.command, 'topologyVersion', context.name);
  const hasVersion = (context.command.get('topologyVersion') ?? null) !== null;
  if (hasVersion && !hasMaxAwait)
    fail(31368, "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'");
  if (!hasVersion && hasMaxAwait)
    fail(31368, "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'");
  if (!hasVersion) return false;
  const processId = given.get('processId');
  const counter = given.get('counter');
  const field = (name: string) => `BSON field '${context.name}.topologyVersion.${name}'`;
  if (processId === undefined) fail(40414, `${field('processId')} is missing but a required field`);
  if (counter === undefined) fail(40414, `${field('counter')} is missing but a required field`);
  if (!(processId instanceof ObjectId))
    fail('TypeMismatch', `${field('processId')} is the wrong type, expected type 'objectId'`);
  if (typeof counter !== 'bigint')
    fail('TypeMismatch', `${field('counter')} is the wrong type, expected type 'long'`);
  if (counter < 0n) fail(31372, 'topologyVersion must have a non-negative counter');
  if (!processId.equals(context.state.processId)) return false;
  if (counter !== COUNTER) {
    fail(
      51764,
      `Received a topology version with counter: ${counter} which is greater than the server topology version counter: ${COUNTER}`,
    );
  }
  return true;
}

function buildInfo({ state: { version } }: CommandContext): Reply {
  return {
    version,
    versionArray: [...version.split('.').map(Number), 0],
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  };
}

/** `hello`, its older names, and `buildInfo`. */
export const helloCommands: Record<string, Command> = {
  buildInfo: { run: buildInfo, fields: [] },
  hello: { run: hello },
  isMaster: { run: hello },
  ismaster: { run: hello },
};
