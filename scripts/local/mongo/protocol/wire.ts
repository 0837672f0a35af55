import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/values.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const EXHAUST_ALLOWED = 1 << 16;

/** MongoDB's limit for the size of a message. */
export const MAX_MESSAGE_BYTES = 48_000_000;

/** A command as received. */
export interface Request {
  id: number;
  /** The command with its document sequences inserted as arrays, including `$db`. */
  command: Doc;
  /** The bytes of the documents in document sequences, by field name. */
  raw: Map<string, Buffer[]>;
  /** The client expects no reply (`moreToCome`). */
  moreToCome: boolean;
  /** The client accepts several replies, each but the last with `moreToCome`. */
  exhaustAllowed: boolean;
  /** The command was sent as OP_QUERY and expects OP_REPLY. */
  legacy: boolean;
}

/** An invalid message; the connection is closed. */
export class ProtocolError extends Error {}

/** Splits a stream of bytes into messages. */
export class MessageReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /** Adds bytes and yields the complete messages. @throws ProtocolError for an invalid length */
  *push(chunk: Buffer): Generator<Buffer> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= 4) {
      const head = this.#chunks[0]!.length >= 4 ? this.#chunks[0]! : this.#join();
      const wanted = head.readInt32LE(0);
      if (wanted < 16 || wanted > MAX_MESSAGE_BYTES)
        throw new ProtocolError(`invalid message length ${wanted}`);
      if (this.#length < wanted) return;
      const bytes = this.#join();
      const message = bytes.subarray(0, wanted);
      this.#chunks = bytes.length > wanted ? [bytes.subarray(wanted)] : [];
      this.#length -= wanted;
      yield message;
    }
  }

  #join(): Buffer {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    return bytes;
  }
}

/** Parses a message. @throws ProtocolError for operations other than OP_MSG and OP_QUERY */
export function readRequest(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const operation = message.readInt32LE(12);
  if (operation === OP_MSG) return readMessage(id, message);
  if (operation === OP_QUERY) return readQuery(id, message);
  throw new ProtocolError(`operation ${operation} is not supported`);
}

function readMessage(id: number, message: Buffer): Request {
  const flags = message.readUInt32LE(16);
  if ((flags & 0xffff & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0) {
    throw new ProtocolError(`Message contains illegal flags value: Ob${flags.toString(2)}`);
  }
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let command: Doc | undefined;
  const raw = new Map<string, Buffer[]>();
  for (let at = 20; at < end; ) {
    const kind = message[at]!;
    const size = message.readInt32LE(at + 1);
    if (size < 5 || at + 1 + size > end) throw new ProtocolError(`invalid section length ${size}`);
    if (kind === 0) command = decode(message, at + 1);
    else if (kind === 1) readSequence(message, at + 5, at + 1 + size, raw);
    else throw new ProtocolError(`unknown section kind ${kind}`);
    at += 1 + size;
  }
  if (!command) throw new ProtocolError('a message without a body');
  for (const [name, documents] of raw)
    command.set(
      name,
      documents.map((bytes): Value => decode(bytes)),
    );
  return {
    id,
    command,
    raw,
    moreToCome: (flags & MORE_TO_COME) !== 0,
    exhaustAllowed: (flags & EXHAUST_ALLOWED) !== 0,
    legacy: false,
  };
}

function readSequence(message: Buffer, start: number, end: number, into: Map<string, Buffer[]>): void {
  const nameEnd = message.indexOf(0, start);
  const documents: Buffer[] = [];
  for (let at = nameEnd + 1; at < end; ) {
    const size = message.readInt32LE(at);
    if (size < 5 || at + size > end) throw new ProtocolError(`invalid document length ${size}`);
    documents.push(message.subarray(at, at + size));
    at += size;
  }
  into.set(message.toString('utf8', start, nameEnd), documents);
}

/** Parses the first message of older clients: a command as a query of `<database>.$cmd`. */
function readQuery(id: number, message: Buffer): Request {
  const nameEnd = message.indexOf(0, 20);
  const namespace = message.toString('utf8', 20, nameEnd);
  if (!namespace.endsWith('.$cmd')) throw new ProtocolError('OP_QUERY is supported for commands only');
  let command = decode(message, nameEnd + 9);
  const wrapped = command.get('$query') ?? command.get('query');
  if (wrapped instanceof Map && (command.has('$query') || command.size === 1)) command = wrapped;
  command.set('$db', namespace.slice(0, -5));
  return { id, command, raw: new Map(), moreToCome: false, exhaustAllowed: false, legacy: true };
}

let lastId = 0;

/** Encodes the reply to a request. @param moreToCome another reply follows, in response to this one */
export function writeReply(
  request: Pick<Request, 'id' | 'legacy'>,
  reply: Record<string, unknown>,
  moreToCome = false,
): { id: number; bytes: Buffer } {
  const body = encode(reply);
  const head = request.legacy ? 36 : 21;
  const message = Buffer.allocUnsafe(head + body.length);
  lastId = (lastId + 1) | 0;
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(lastId, 4);
  message.writeInt32LE(request.id, 8);
  message.writeInt32LE(request.legacy ? OP_REPLY : OP_MSG, 12);
  message.fill(0, 16, head);
  if (request.legacy) {
    message.writeInt32LE(8, 16);
    message.writeInt32LE(1, 32);
  } else if (moreToCome) {
    message.writeUInt32LE(MORE_TO_COME, 16);
  }
  body.copy(message, head);
  return { id: lastId, bytes: message };
}
