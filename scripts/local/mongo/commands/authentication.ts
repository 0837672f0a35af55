/** Signing in with SCRAM-SHA-256 (RFC 5802 and 7677), as drivers do by themselves when a URL has a name and password. */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Binary } from 'bson';
import type { Doc, Maybe } from '../bson/values.ts';
import { fail } from '../errors.ts';
import {
  booleanField,
  type Command,
  type CommandContext,
  documentField,
  type Reply,
  type User,
} from './context.ts';

const MECHANISM = 'SCRAM-SHA-256';
/** MongoDB's number of rounds. */
const ITERATIONS = 15_000;
/** What a client may run before it has signed in. */
const OPEN_COMMANDS = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'saslStart', 'saslContinue']);

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

export function createUser(name: string, password: string): User {
  const salt = randomBytes(28);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  return { name, salt, storedKey: sha256(hmac(salted, 'Client Key')), serverKey: hmac(salted, 'Server Key') };
}

/** @throws Unauthorized (13) for a command before the client has signed in, where the server has a user */
export function checkSignedIn({ state, session, name }: CommandContext): void {
  if (!state.user || session.isSignedIn || OPEN_COMMANDS.has(name)) return;
  fail('Unauthorized', `Command ${name} requires authentication`);
}

/** What `hello` adds to its reply: the mechanism of a user that the client names, and the begin of a conversation. */
export function signInOf(context: CommandContext): Reply {
  const { state, command } = context;
  const isKnown = state.user && command.get('saslSupportedMechs') === `admin.${state.user.name}`;
  const speculative = documentField(command, 'speculativeAuthenticate', context.name);
  const begun = speculative.size > 0 ? trySpeculative(context, speculative) : undefined;
  return {
    ...(isKnown && { saslSupportedMechs: [MECHANISM] }),
    ...(begun && { speculativeAuthenticate: begun }),
  };
}

/** A refusal is no error here: the client signs in with `saslStart` then, and gets it there. */
function trySpeculative(context: CommandContext, from: Doc): Reply | undefined {
  try {
    return start(context, from, String(from.get('db')));
  } catch {
    return undefined;
  }
}

function start({ state, session }: CommandContext, from: Doc, database: string): Reply {
  const mechanism = from.get('mechanism');
  const [, header, bare = '', name, nonce] =
    /^([ny],[^,]*,)(n=([^,]*),r=([^,]+))$/.exec(textOf(from.get('payload'))) ?? [];
  const isUser = database === 'admin' && name !== undefined && unescaped(name) === state.user?.name;
  if (!state.user || mechanism !== MECHANISM || header === undefined || !isUser) refuse();
  const combined = `${nonce}${randomBytes(18).toString('base64')}`;
  const first = `r=${combined},s=${state.user.salt.toString('base64')},i=${ITERATIONS}`;
  const options = documentField(from, 'options', 'saslStart');
  const skipsEmptyExchange = booleanField(options, 'skipEmptyExchange', false, 'saslStart.options');
  session.conversation = { signed: `${bare},${first}`, nonce: combined, skipsEmptyExchange };
  return { conversationId: 1, done: false, payload: new Binary(Buffer.from(first)) };
}

function proceed({ state, session, command }: CommandContext): Reply {
  const payload = textOf(command.get('payload'));
  // The empty exchange at the end.
  if (session.isSignedIn && payload === '') {
    return { conversationId: 1, done: true, payload: new Binary(Buffer.alloc(0)) };
  }
  const { conversation } = session;
  delete session.conversation;
  const [, final = '', nonce, proof] = /^(c=[^,]+,r=([^,]+)),p=(.+)$/.exec(payload) ?? [];
  if (!state.user || !conversation || nonce !== conversation.nonce || proof === undefined) refuse();
  const signed = `${conversation.signed},${final}`;
  const signature = hmac(state.user.storedKey, signed);
  const clientKey = Buffer.from(proof, 'base64').map((byte, index) => byte ^ signature[index]!);
  if (!timingSafeEqual(sha256(Buffer.from(clientKey)), state.user.storedKey)) refuse();
  session.isSignedIn = true;
  const verifier = `v=${hmac(state.user.serverKey, signed).toString('base64')}`;
  return {
    conversationId: 1,
    done: conversation.skipsEmptyExchange,
    payload: new Binary(Buffer.from(verifier)),
  };
}

/** MongoDB says the same for an unknown user, a wrong database and a wrong password. */
function refuse(): never {
  return fail('AuthenticationFailed', 'Authentication failed.');
}

const textOf = (value: Maybe) => (value instanceof Binary ? Buffer.from(value.buffer).toString() : '');
const unescaped = (name: string) => name.replaceAll('=2C', ',').replaceAll('=3D', '=');

export const authenticationCommands: Record<string, Command> = {
  saslStart: { run: (context) => start(context, context.command, context.database) },
  saslContinue: { run: proceed },
};
