import type { Binary, BSONRegExp, Code, Decimal128, ObjectId, Timestamp } from 'bson';
import { textOf } from '../bson/compare.ts';
import { compareDecimalToDouble, nextDown, parseExact } from '../bson/decimal.ts';
import { type Doc, type Maybe, type OpaqueValue, toNumber, typeOf, type Value } from '../bson/values.ts';

/** Sorts after every key with a given prefix: no encoded value starts with 0xff. */
export const AFTER_PREFIX = Buffer.from([0xff]);

/** Transforms strings before they are encoded, for indexes with a collation. */
export type StringFold = (text: string) => string;

const keyBytes = { buffer: Buffer.allocUnsafe(1 << 12), at: 0 };

/**
 * Encodes a value so that the byte order of the results is the BSON order of the values, and equal values (1 and 1.0)
 * have equal bytes. No result is a prefix of another. With `descending`, all bytes are inverted.
 */
export function encodeKey(value: Value, descending = false, fold?: StringFold): Buffer {
  keyBytes.at = 0;
  writeTyped(value, fold);
  const key = Buffer.from(keyBytes.buffer.subarray(0, keyBytes.at));
  if (descending) invert(key, 0);
  return key;
}

/** The first byte of all keys of a value's type. */
export function rankOf(value: Value): number {
  return typeOf(value).rank;
}

function invert(bytes: Buffer, from: number): void {
  for (let index = from; index < bytes.length; index++) bytes[index] = bytes[index]! ^ 0xff;
}

function ensureCapacity(length: number): void {
  if (keyBytes.at + length <= keyBytes.buffer.length) return;
  const grown = Buffer.allocUnsafe(Math.max(keyBytes.buffer.length * 2, keyBytes.at + length));
  keyBytes.buffer.copy(grown, 0, 0, keyBytes.at);
  keyBytes.buffer = grown;
}

function writeByte(byte: number): void {
  ensureCapacity(1);
  keyBytes.buffer[keyBytes.at++] = byte;
}

/** Bytes of a known length. */
function writeBytes(bytes: Uint8Array): void {
  ensureCapacity(bytes.length);
  keyBytes.buffer.set(bytes, keyBytes.at);
  keyBytes.at += bytes.length;
}

/**
 * Text terminated by 0. It must not contain any other 0, or a shorter text would be its prefix: 0 is written as 1 1,
 * and 1 as 1 2.
 */
function writeText(text: string): void {
  ensureCapacity(text.length * 3);
  if (text.includes('\0') || text.includes('\u0001')) {
    for (const byte of Buffer.from(text)) {
      if (byte > 1) writeByte(byte);
      else {
        writeByte(1);
        writeByte(byte + 1);
      }
    }
  } else {
    keyBytes.at += keyBytes.buffer.write(text, keyBytes.at);
  }
  writeByte(0);
}

function writeTyped(value: Maybe, fold?: StringFold): void {
  const { rank } = typeOf(value);
  writeByte(rank);
  switch (rank) {
    case 10:
      writeNumber(value as Value);
      return;
    case 15:
      writeText(fold ? fold(textOf(value)) : textOf(value));
      return;
    case 20:
      writeFields(value as Doc, fold);
      return;
    case 25:
      for (const element of value as Value[]) writeTyped(element, fold);
      writeByte(0);
      return;
    case 30: {
      const binary = value as Binary;
      writeUInt32(binary.position);
      writeByte(binary.sub_type);
      writeBytes(binary.buffer.subarray(0, binary.position));
      return;
    }
    case 35:
      writeBytes((value as ObjectId).id);
      return;
    case 40:
      writeByte(value === true ? 1 : 0);
      return;
    case 45:
      ensureCapacity(8);
      keyBytes.at = keyBytes.buffer.writeBigUInt64BE(
        BigInt.asUintN(64, BigInt((value as Date).getTime() || 0) + (1n << 63n)),
        keyBytes.at,
      );
      return;
    case 47:
      writeUInt32((value as Timestamp).t);
      writeUInt32((value as Timestamp).i);
      return;
    case 50:
      writeText((value as BSONRegExp).pattern);
      writeText((value as BSONRegExp).options);
      return;
    case 55:
      writeBytes((value as OpaqueValue).bytes);
      return;
    case 60:
      writeText((value as Code).code);
      return;
    case 65:
      writeText((value as Code).code);
      writeFields((value as Code).scope as unknown as Doc, fold);
      return;
    default:
  }
}

function writeFields(document: Doc, fold?: StringFold): void {
  for (const [name, value] of document) {
    writeByte(typeOf(value).rank);
    writeText(name);
    writeTyped(value, fold);
  }
  writeByte(0);
}

function writeUInt32(value: number): void {
  ensureCapacity(4);
  keyBytes.at = keyBytes.buffer.writeUInt32BE(value >>> 0, keyBytes.at);
}

/**
 * A number of any type: the greatest double not above it, then 0 if that is exact, else 1 and its decimal digits (for
 * int64 beyond 2^53 and decimal128).
 */
function writeNumber(value: Value): void {
  if (typeof value === 'number') {
    writeDouble(value);
    writeByte(0);
    return;
  }
  const nearest = toNumber(value);
  const isDecimal = typeof value !== 'bigint' && (value as Decimal128)._bsontype === 'Decimal128';
  if (Number.isNaN(nearest) || (typeof value !== 'bigint' && !isDecimal)) {
    writeDouble(nearest);
    writeByte(0);
    return;
  }
  const text = String(value as bigint | Decimal128);
  if (text.includes('Inf') || (typeof value === 'bigint' && BigInt(nearest) === value)) {
    writeDouble(nearest);
    writeByte(0);
    return;
  }
  const exact = parseExact(text);
  const order = compareDecimalToDouble(exact, nearest);
  writeDouble(order < 0 ? nextDown(nearest) : nearest);
  writeByte(order === 0 ? 0 : 1);
  if (order !== 0) writeDigits(exact);
}

function writeDouble(value: number): void {
  ensureCapacity(8);
  const start = keyBytes.at;
  if (Number.isNaN(value)) {
    keyBytes.at = keyBytes.buffer.writeBigUInt64BE(0n, start);
    return;
  }
  keyBytes.at = keyBytes.buffer.writeDoubleBE(value === 0 ? 0 : value, start);
  if (value < 0)
    for (let at = start; at < keyBytes.at; at++) keyBytes.buffer[at] = keyBytes.buffer[at]! ^ 0xff;
  else keyBytes.buffer[start] = keyBytes.buffer[start]! ^ 0x80;
}

function writeDigits(exact: { negative: boolean; coefficient: bigint; exponent: number }): void {
  const start = keyBytes.at;
  const digits = exact.coefficient.toString();
  ensureCapacity(digits.length + 3);
  keyBytes.at = keyBytes.buffer.writeUInt16BE(exact.exponent + digits.length + 0x8000, keyBytes.at);
  keyBytes.at += keyBytes.buffer.write(digits.replace(/0+$/, ''), keyBytes.at, 'latin1');
  writeByte(0);
  if (exact.negative) {
    for (let at = start; at < keyBytes.at; at++) keyBytes.buffer[at] = keyBytes.buffer[at]! ^ 0xff;
  }
}
