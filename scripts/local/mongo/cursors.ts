import { randomBytes } from 'node:crypto';
import { RawDocument } from './bson/encode.ts';
import { fail } from './errors.ts';

const IDLE_MS = 10 * 60 * 1000;
const FIRST_BATCH = 101;
/** The size limit of a batch, so that the reply fits into a message. */
const BATCH_BYTES = 16 * 1024 * 1024;

interface Cursor {
  id: bigint;
  namespace: string;
  results: Iterator<Buffer>;
  /** A result that did not fit into the previous batch. */
  held: Buffer | undefined;
  /** The maximum number of results that are left; at 0 the cursor closes without another `getMore`. */
  left: number;
  usedAt: number;
}

/** The `cursor` part of a reply. */
interface CursorReply {
  firstBatch?: RawDocument[];
  nextBatch?: RawDocument[];
  id: bigint;
  ns: string;
}

/** All open cursors of the server. As in MongoDB, cursors expire after ten minutes without use. */
export class Cursors {
  #open = new Map<bigint, Cursor>();

  /**
   * Returns the first batch of some results (encoded documents), and opens a cursor if there are more. Without
   * `most`, the end is only recognised when a batch is not full, as in MongoDB.
   * @param options.batchSize undefined: MongoDB's default of 101; 0: an empty batch
   * @param options.most the maximum number of results
   */
  start(
    namespace: string,
    results: Iterator<Buffer>,
    options: {
      batchSize?: number | undefined;
      singleBatch?: boolean;
      most?: number;
    } = {},
  ): CursorReply {
    const cursor: Cursor = {
      id: newId(),
      namespace,
      results,
      held: undefined,
      left: options.most ?? Number.POSITIVE_INFINITY,
      usedAt: Date.now(),
    };
    const { batch, done } = takeBatch(cursor, options.batchSize ?? FIRST_BATCH);
    if (done || options.singleBatch) return { firstBatch: batch, id: 0n, ns: namespace };
    this.#open.set(cursor.id, cursor);
    return { firstBatch: batch, id: cursor.id, ns: namespace };
  }

  /** The next batch of a cursor. @throws CursorNotFound (43), and 13 when it belongs to another namespace */
  next(id: bigint, namespace: string, batchSize: number | undefined): CursorReply {
    const cursor = this.#open.get(id);
    if (!cursor) fail('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.namespace !== namespace) {
      fail(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    cursor.usedAt = Date.now();
    let taken: ReturnType<typeof takeBatch>;
    try {
      taken = takeBatch(cursor, batchSize && batchSize > 0 ? batchSize : Number.POSITIVE_INFINITY);
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
    if (taken.done) this.#open.delete(id);
    return { nextBatch: taken.batch, id: taken.done ? 0n : id, ns: namespace };
  }

  /** Closes a cursor. @returns whether it existed */
  kill(id: bigint): boolean {
    this.#open.get(id)?.results.return?.();
    return this.#open.delete(id);
  }

  /** Closes the cursors of a namespace that was dropped. */
  killNamespace(namespace: string): void {
    for (const cursor of this.#open.values()) if (cursor.namespace === namespace) this.kill(cursor.id);
  }

  /** Closes cursors that have not been used for ten minutes. */
  expire(now = Date.now()): void {
    for (const cursor of this.#open.values()) {
      if (now - cursor.usedAt > IDLE_MS) this.kill(cursor.id);
    }
  }
}

function newId(): bigint {
  return BigInt.asIntN(64, randomBytes(8).readBigUInt64LE()) || 1n;
}

/** Takes results until the batch is full. */
function takeBatch(cursor: Cursor, size: number): { batch: RawDocument[]; done: boolean } {
  const batch: RawDocument[] = [];
  let bytes = 0;
  while (cursor.left > 0) {
    if (batch.length >= size) return { batch, done: false };
    const result = cursor.held ?? cursor.results.next().value;
    if (!result) return { batch, done: true };
    if (batch.length > 0 && bytes + result.length > BATCH_BYTES) {
      cursor.held = result;
      return { batch, done: false };
    }
    cursor.held = undefined;
    cursor.left--;
    batch.push(new RawDocument(result));
    bytes += result.length;
  }
  return { batch, done: true };
}
