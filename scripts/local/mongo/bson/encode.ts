import { Binary, BSONRegExp, Double, ObjectId } from 'bson';
import { BSON_UNDEFINED, type Doc } from './values.ts';

/** A document that is already encoded; replies contain its bytes unchanged. */
export class RawDocument {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** Grows as needed and is reused for every document, so that encoding allocates little memory. */
const writer = { bytes: Buffer.allocUnsafe(1 << 16), at: 0 };

/**
 * Encodes a document: a Map, or a plain object as used for replies. In plain objects an integer of 32 bits becomes an
 * int32, any other number a double, and `undefined` is omitted.
 */
export function encode(document: Doc | Record<string, unknown>): Buffer {
  const start = writer.at;
  writeDocument(document);
  const result = Buffer.from(writer.bytes.subarray(start, writer.at));
  writer.at = start;
  if (start === 0 && writer.bytes.length > 1 << 22) writer.bytes = Buffer.allocUnsafe(1 << 16);
  return result;
}

function ensureCapacity(length: number): void {
  if (writer.at + length <= writer.bytes.length) return;
  const grown = Buffer.allocUnsafe(Math.max(writer.bytes.length * 2, writer.at + length));
  writer.bytes.copy(grown, 0, 0, writer.at);
  writer.bytes = grown;
}

function writeDocument(document: Doc | Record<string, unknown>): void {
  const start = openBody();
  if (document instanceof Map) for (const [name, value] of document) writeElement(name, value);
  else for (const name in document) writeElement(name, document[name]);
  closeBody(start);
}

function writeArray(values: readonly unknown[]): void {
  const start = openBody();
  for (let index = 0; index < values.length; index++) writeElement(String(index), values[index] ?? null);
  closeBody(start);
}

function openBody(): number {
  ensureCapacity(5);
  const start = writer.at;
  writer.at += 4;
  return start;
}

function closeBody(start: number): void {
  ensureCapacity(1);
  writer.bytes[writer.at++] = 0;
  writer.bytes.writeInt32LE(writer.at - start, start);
}

function writeElement(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  ensureCapacity(1);
  const typeAt = writer.at++;
  writeName(name);
  const type = writeValue(value);
  writer.bytes[typeAt] = type;
}

function writeName(name: string): void {
  ensureCapacity(name.length * 3 + 1);
  writer.at += writer.bytes.write(name, writer.at);
  writer.bytes[writer.at++] = 0;
}

function writeString(text: string): void {
  ensureCapacity(text.length * 3 + 5);
  const length = writer.bytes.write(text, writer.at + 4);
  writer.bytes.writeInt32LE(length + 1, writer.at);
  writer.at += 4 + length;
  writer.bytes[writer.at++] = 0;
}

function writeInt32(value: number): void {
  ensureCapacity(4);
  writer.at = writer.bytes.writeInt32LE(value, writer.at);
}

function writeInt64(value: bigint): void {
  ensureCapacity(8);
  writer.at = writer.bytes.writeBigInt64LE(BigInt.asIntN(64, value), writer.at);
}

function writeDouble(value: number): void {
  ensureCapacity(8);
  writer.at = writer.bytes.writeDoubleLE(value, writer.at);
}

function writeBytes(bytes: Uint8Array): void {
  ensureCapacity(bytes.length);
  writer.bytes.set(bytes, writer.at);
  writer.at += bytes.length;
}

/** Writes a value and returns its BSON type number. */
function writeValue(value: unknown): number {
  switch (typeof value) {
    case 'string':
      writeString(value);
      return 0x02;
    case 'number':
      if (Number.isInteger(value) && value === (value | 0) && !Object.is(value, -0)) {
        writeInt32(value);
        return 0x10;
      }
      writeDouble(value);
      return 0x01;
    case 'boolean':
      ensureCapacity(1);
      writer.bytes[writer.at++] = value ? 1 : 0;
      return 0x08;
    case 'bigint':
      writeInt64(value);
      return 0x12;
    default:
      return value === null ? 0x0a : writeObject(value as object);
  }
}

function writeObject(value: object): number {
  if (value instanceof Map) {
    writeDocument(value);
    return 0x03;
  }
  if (Array.isArray(value)) {
    writeArray(value);
    return 0x04;
  }
  if (value instanceof Date) {
    writeInt64(BigInt(Number.isNaN(value.getTime()) ? 0 : value.getTime()));
    return 0x09;
  }
  if (value instanceof RawDocument) {
    writeBytes(value.bytes);
    return 0x03;
  }
  if (value === BSON_UNDEFINED) return 0x06;
  if (value instanceof Double) {
    writeDouble(value.value);
    return 0x01;
  }
  if (value instanceof ObjectId) {
    writeBytes(value.id);
    return 0x07;
  }
  if (value instanceof Binary) {
    writeBinary(value);
    return 0x05;
  }
  if (value instanceof BSONRegExp) {
    writeName(value.pattern);
    writeName(value.options);
    return 0x0b;
  }
  writeDocument(value as Record<string, unknown>);
  return 0x03;
}

function writeBinary(binary: Binary): void {
  const bytes = binary.buffer.subarray(0, binary.position);
  const subtype = binary.sub_type;
  writeInt32(subtype === 2 ? bytes.length + 4 : bytes.length);
  ensureCapacity(1);
  writer.bytes[writer.at++] = subtype;
  if (subtype === 2) writeInt32(bytes.length);
  writeBytes(bytes);
}
