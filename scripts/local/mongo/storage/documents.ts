import { decode } from '../bson/decode.ts';
import type { Doc } from '../bson/values.ts';
import { fail } from '../errors.ts';

/** The size limit of documents: 16 MiB, and as in MongoDB some more for what an update adds. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** A stored document. `document` is shared and must not be changed. */
export interface Stored {
  /** Increases with every insert; this is the natural order. */
  record: number;
  bytes: Buffer;
  document: Doc;
}

/** A document that is decoded on first use. */
export class StoredDocument implements Stored {
  readonly record: number;
  readonly bytes: Buffer;
  #document: Doc | undefined;
  constructor(record: number, bytes: Buffer, document?: Doc) {
    this.record = record;
    this.bytes = bytes;
    this.#document = document;
  }
  get document(): Doc {
    this.#document ??= decode(this.bytes);
    return this.#document;
  }
}

/** @throws BSONObjectTooLarge (10334) */
export function checkSize(bytes: Buffer): void {
  if (bytes.length <= MAX_DOCUMENT_BYTES) return;
  fail(
    'BSONObjectTooLarge',
    `BSONObj size: ${bytes.length} (0x${bytes.length.toString(16).toUpperCase()}) is invalid. Size must be between 0 and 16793600(16MB)`,
  );
}

/** A value of SQLite as a Buffer, without copying it. */
export function asBuffer(value: unknown): Buffer {
  const bytes = value as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const CACHE_ENTRIES = 5000;
const CACHE_DOCUMENT_BYTES = 16 * 1024;

/** The documents that were used last. Large documents are not kept. */
export class DocumentCache {
  #documents = new Map<number, Stored>();

  get(record: number): Stored | undefined {
    const cached = this.#documents.get(record);
    if (!cached) return undefined;
    // A map keeps the order of insertion, so the first entry is the least recently used.
    this.#documents.delete(record);
    this.#documents.set(record, cached);
    return cached;
  }

  /** Adds or replaces a document and returns it. */
  set(stored: Stored): Stored {
    this.#documents.delete(stored.record);
    if (stored.bytes.length > CACHE_DOCUMENT_BYTES) return stored;
    if (this.#documents.size >= CACHE_ENTRIES) this.#documents.delete(this.#documents.keys().next().value!);
    this.#documents.set(stored.record, stored);
    return stored;
  }

  delete(record: number): void {
    this.#documents.delete(record);
  }
}
