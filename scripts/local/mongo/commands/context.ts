import type { ObjectId } from 'bson';
import { type Doc, isNumeric, isTruthy, type Maybe, toNumber, typeOf } from '../bson/values.ts';
import type { Cursors } from '../cursors.ts';
import { fail } from '../errors.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Collection } from '../storage/collection.ts';

/** The only user of a server, in the database `admin`: its keys, from which its password cannot be computed. */
export interface User {
  name: string;
  salt: Buffer;
  storedKey: Buffer;
  serverKey: Buffer;
}

/** How far a client has signed in. */
interface ClientSession {
  isSignedIn: boolean;
  conversation?: { signed: string; nonce: string; skipsEmptyExchange: boolean };
}

/** What all commands share: the data, the open cursors and facts about the server. */
export interface ServerState {
  catalog: Catalog;
  cursors: Cursors;
  /** Identifies this run of the server to drivers; part of the `topologyVersion`. */
  processId: ObjectId;
  /** The version of MongoDB whose behaviour it has, such as `8.0.0`. */
  version: string;
  /** The user that clients sign in as; without one they need not sign in. */
  user: User | undefined;
}

/** The first number of the version of MongoDB that a server behaves like. */
export function majorVersion({ version }: Pick<ServerState, 'version'>): number {
  return Number.parseInt(version, 10);
}

/** A command to run. */
export interface CommandContext {
  state: ServerState;
  database: string;
  command: Doc;
  /** The name of the command: its first field. */
  name: string;
  /** The bytes of the documents that were sent as document sequences. */
  raw: Map<string, Buffer[]>;
  connectionId: number;
  session: ClientSession;
  /** The client accepts several replies (`exhaustAllowed`). */
  exhaustAllowed: boolean;
  /** Set by a command whose reply is not sent at once: when to send it. */
  replyAfterMs?: number | undefined;
  /** Set by a command that has another reply after this one: the command that gives it. */
  nextInvocation?: Doc;
}

/** A reply, without `ok`. */
export type Reply = Record<string, unknown>;

/** A command: what it does and, if it rejects unknown fields, its own fields. */
export interface Command {
  run: (context: CommandContext) => Reply;
  fields?: readonly string[];
}

/** The collection that a command's first field names. @throws InvalidNamespace (73) */
export function collectionName(context: CommandContext): string {
  const name = context.command.get(context.name);
  if (typeof name !== 'string') {
    fail('InvalidNamespace', `collection name has invalid type ${typeOf(name).name}`);
  }
  if (name === '') fail('InvalidNamespace', `Invalid namespace specified '${context.database}.'`);
  return name;
}

/** The collection that a command names; undefined when it does not exist. */
export function findCollection(context: CommandContext): Collection | undefined {
  return context.state.catalog.find(context.database, collectionName(context));
}

/** A non-negative integer field of a command. @throws TypeMismatch (14), 51024 below 0 */
export function countField(context: CommandContext, field: string): number | undefined {
  const value = context.command.get(field);
  if (value === undefined || value === null) return undefined;
  const number = numberIn(value, `${context.name}.${field}`);
  if (number < 0) fail(51024, `BSON field '${field}' value must be >= 0, actual value '${number}'`);
  return number;
}

/** Rejects a field of another type. @param expected as MongoDB says it: `type 'object'` */
export function wrongType(field: string, value: Maybe, expected: string): never {
  return fail(
    'TypeMismatch',
    `BSON field '${field}' is the wrong type '${typeOf(value).name}', expected ${expected}`,
  );
}

/** A number. @throws TypeMismatch (14) for a field of another type */
export function numberIn(value: Maybe, field: string): number {
  if (!isNumeric(value)) wrongType(field, value, "types '[long, int, decimal, double]'");
  return Math.trunc(toNumber(value));
}

/** A document field of a command or statement; empty when absent. @throws TypeMismatch (14) */
export function documentField(from: Doc, field: string, owner: string): Doc {
  const value = from.get(field);
  if (value === undefined || value === null) return new Map();
  if (!(value instanceof Map)) wrongType(`${owner}.${field}`, value, "type 'object'");
  return value;
}

/** A boolean field of a command or statement. @throws TypeMismatch (14) */
export function booleanField(from: Doc, field: string, fallback: boolean, owner: string): boolean {
  const value = from.get(field);
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'boolean' && !isNumeric(value))
    wrongType(`${owner}.${field}`, value, "types '[bool, long, int, decimal, double]'");
  return isTruthy(value);
}
