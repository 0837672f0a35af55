import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { testWithTarget } from './target.ts';

/** The request id of every message from `message`. */
export const REQUEST_ID = 77;

/** A message: its header, then the content for its operation. */
export function message(operation: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(16);
  head.writeInt32LE(16 + body.length, 0);
  head.writeInt32LE(REQUEST_ID, 4);
  head.writeInt32LE(operation, 12);
  return Buffer.concat([head, body]);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

/** A section of an OP_MSG message with one document. */
export const section = (document: Document) => Buffer.concat([Buffer.from([0]), BSON.serialize(document)]);

/** A command as OP_QUERY, as clients send their first `isMaster`. */
export function query(command: Document): Buffer {
  return message(2004, int32(0), Buffer.from('admin.$cmd\0'), int32(0), int32(-1), BSON.serialize(command));
}

/** A connection that sends bytes and reads complete messages. */
export class RawConnection {
  readonly socket: Socket;
  #received = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Connects to the server at a `mongodb://` URL. */
  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port || 27017), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** The next complete message from the server. */
  async next(): Promise<Buffer> {
    while (this.#received.length < 4 || this.#received.length < this.#received.readInt32LE(0)) {
      const chunk: Buffer | null = this.socket.read();
      if (chunk) this.#received = Buffer.concat([this.#received, chunk]);
      else await once(this.socket, 'readable');
    }
    const length = this.#received.readInt32LE(0);
    const next = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return next;
  }
}

/** `testWithTarget` with the fixture `connection`, a new one for each test. */
export const testWithConnection = testWithTarget.extend('connection', async ({ target }, { onCleanup }) => {
  const connection = await RawConnection.open(target.url);
  onCleanup(() => {
    connection.socket.destroy();
  });
  return connection;
});
