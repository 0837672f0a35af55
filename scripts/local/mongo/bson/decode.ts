import { Binary, BSONError, BSONRegExp, Double, ObjectId } from 'bson';
import { fail } from '../errors.ts';
import type { Doc, Value } from './values.ts';

const MAX_DEPTH = 200;

/** The decoder's position in its bytes. */
interface Reader {
  bytes: Buffer;
  at: number;
}

/**
 * Decodes the BSON document that begins at `start`.
 * @throws InvalidBSON (22) for inconsistent lengths, types that this server does not know, and documents nested too
 * deeply
 */
export function decode(bytes: Buffer, start = 0): Doc {
  const reader = { bytes, at: start };
  try {
    return readDocument(reader, 0);
  } catch (error) {
    if (error instanceof RangeError || error instanceof BSONError)
      fail('InvalidBSON', `invalid BSON at byte ${reader.at}: ${error.message}`);
    throw error;
  }
}

function openBody(reader: Reader, depth: number): number {
  if (depth > MAX_DEPTH) fail(15, 'BSONObj exceeds maximum nested object depth: 200');
  const length = reader.bytes.readInt32LE(reader.at);
  const end = reader.at + length;
  if (length < 5 || end > reader.bytes.length || reader.bytes[end - 1] !== 0) {
    fail('InvalidBSON', `invalid document length ${length} at byte ${reader.at}`);
  }
  reader.at += 4;
  return end - 1;
}

function readDocument(reader: Reader, depth: number): Doc {
  const end = openBody(reader, depth);
  const document: Doc = new Map();
  while (reader.at < end) {
    const type = reader.bytes[reader.at++]!;
    const name = readName(reader);
    document.set(name, readValue(reader, type, depth));
  }
  closeBody(reader, end);
  return document;
}

function readArray(reader: Reader, depth: number): Value[] {
  const end = openBody(reader, depth);
  const values: Value[] = [];
  while (reader.at < end) {
    const type = reader.bytes[reader.at++]!;
    reader.at = reader.bytes.indexOf(0, reader.at) + 1;
    values.push(readValue(reader, type, depth));
  }
  closeBody(reader, end);
  return values;
}

function closeBody(reader: Reader, end: number): void {
  if (reader.at !== end) fail('InvalidBSON', `a value runs past its document at byte ${reader.at}`);
  reader.at++;
}

/** Reads a zero-terminated name. Short ASCII names, by far the most common, are read without a TextDecoder. */
function readName(reader: Reader): string {
  const { bytes } = reader;
  const start = reader.at;
  let at = start;
  let ascii = true;
  while (bytes[at] !== 0) {
    if (at >= bytes.length) fail('InvalidBSON', 'a field name does not end');
    if (bytes[at]! > 127) ascii = false;
    at++;
  }
  reader.at = at + 1;
  return bytes.toString(ascii ? 'latin1' : 'utf8', start, at);
}

function readString(reader: Reader): string {
  const length = reader.bytes.readInt32LE(reader.at);
  const start = reader.at + 4;
  const end = start + length - 1;
  if (length < 1 || end >= reader.bytes.length || reader.bytes[end] !== 0) {
    fail('InvalidBSON', `invalid string length ${length} at byte ${reader.at}`);
  }
  reader.at = end + 1;
  return reader.bytes.toString('utf8', start, end);
}

function readBytes(reader: Reader, length: number): Buffer {
  if (length < 0 || reader.at + length > reader.bytes.length) fail('InvalidBSON', `invalid length ${length}`);
  const copy = Buffer.from(reader.bytes.subarray(reader.at, reader.at + length));
  reader.at += length;
  return copy;
}

function readInt32(reader: Reader): number {
  const value = reader.bytes.readInt32LE(reader.at);
  reader.at += 4;
  return value;
}

function readInt64(reader: Reader): bigint {
  const value = reader.bytes.readBigInt64LE(reader.at);
  reader.at += 8;
  return value;
}

function readBinary(reader: Reader): Binary {
  let length = readInt32(reader);
  const subtype = reader.bytes[reader.at++]!;
  if (subtype === 2) length = readInt32(reader);
  return new Binary(readBytes(reader, length), subtype);
}

function readValue(reader: Reader, type: number, depth: number): Value {
  switch (type) {
    case 0x01: {
      const value = reader.bytes.readDoubleLE(reader.at);
      reader.at += 8;
      return new Double(value);
    }
    case 0x02:
      return readString(reader);
    case 0x03:
      return readDocument(reader, depth + 1);
    case 0x04:
      return readArray(reader, depth + 1);
    case 0x05:
      return readBinary(reader);
    case 0x07:
      return new ObjectId(readBytes(reader, 12));
    case 0x08:
      return reader.bytes[reader.at++] !== 0;
    case 0x09:
      return new Date(Number(readInt64(reader)));
    case 0x0a:
      return null;
    case 0x0b:
      return new BSONRegExp(readName(reader), readName(reader));
    case 0x10:
      return readInt32(reader);
    case 0x12:
      return readInt64(reader);
    default:
      return fail('InvalidBSON', `this server does not know BSON type ${type}, at byte ${reader.at}`);
  }
}
