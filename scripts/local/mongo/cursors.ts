import { randomBytes } from 'node:crypto';
import { RawDocument } from './bson/encode.ts';
import { fail } from './errors.ts';

const IDLE_MS = 10 * 60 * 1000;
const FIRST_BATCH = 101;
/** A batch stays below this many bytes, so that the answer fits a message. */
const BATCH_BYTES = 16 * 1024 * 1024;

interface Cursor {
  id: bigint;
  namespace: string;
  results: Iterator<Buffer>;
  /** A result that did not fit the batch before. */
  held: Buffer | undefined;
  /** How many results there can be at most; when all are out the cursor ends without being asked again. */
  left: number;
  usedAt: number;
  noTimeout: boolean;
}

/** The `cursor` part of an answer. */
export interface CursorReply {
  firstBatch?: RawDocument[];
  nextBatch?: RawDocument[];
  id: bigint;
  ns: string;
}

/** All open cursors of the server. Cursors unused for ten minutes end, as MongoDB's do. */
export class Cursors {
  #open = new Map<bigint, Cursor>();

  /** How many cursors are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * The first batch of some results (encoded documents), and a cursor when there is more.
   * Without `most` the end shows only when a batch is not full, as with MongoDB.
   * @param options.batchSize undefined: MongoDB's 101; 0: none yet.
   * @param options.most how many results there can be at most.
   */
  start(
    namespace: string,
    results: Iterator<Buffer>,
    options: {
      batchSize?: number | undefined;
      singleBatch?: boolean;
      noTimeout?: boolean;
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
      noTimeout: options.noTimeout ?? false,
    };
    const { batch, done } = takeBatch(cursor, options.batchSize ?? FIRST_BATCH);
    if (done || options.singleBatch) return { firstBatch: batch, id: 0n, ns: namespace };
    this.#open.set(cursor.id, cursor);
    return { firstBatch: batch, id: cursor.id, ns: namespace };
  }

  /** The next batch of a cursor. @throws CursorNotFound (43), and 13 when it belongs to another namespace. */
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

  /** Ends a cursor; says whether it was there. */
  kill(id: bigint): boolean {
    this.#open.get(id)?.results.return?.();
    return this.#open.delete(id);
  }

  /** Ends the cursors over a namespace (it was dropped). */
  killNamespace(namespace: string): void {
    for (const cursor of this.#open.values()) if (cursor.namespace === namespace) this.kill(cursor.id);
  }

  /** Ends cursors that nobody used for a long time. */
  expire(now = Date.now()): void {
    for (const cursor of this.#open.values()) {
      if (!cursor.noTimeout && now - cursor.usedAt > IDLE_MS) this.kill(cursor.id);
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
