import type { Binary, BSONRegExp, ObjectId } from 'bson';
import { type Doc, type Maybe, toNumber, typeOf, type Value } from '../bson/values.ts';

/** Sorts after every key with a given prefix: no encoded value starts with 0xff. */
export const AFTER_PREFIX = Buffer.from([0xff]);

const keyBytes = { buffer: Buffer.allocUnsafe(1 << 12), at: 0 };

/**
 * Encodes a value so that the byte order of the results is the BSON order of the values, and equal values (1 and 1.0)
 * have equal bytes. No result is a prefix of another. With `descending`, all bytes are inverted.
 */
export function encodeKey(value: Value, descending = false): Buffer {
  keyBytes.at = 0;
  writeTyped(value);
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

function writeTyped(value: Maybe): void {
  const { rank } = typeOf(value);
  writeByte(rank);
  switch (rank) {
    case 10:
      writeNumber(value as Value);
      return;
    case 15:
      writeText(value as string);
      return;
    case 20:
      writeFields(value as Doc);
      return;
    case 25:
      for (const element of value as Value[]) writeTyped(element);
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
    case 50:
      writeText((value as BSONRegExp).pattern);
      writeText((value as BSONRegExp).options);
      return;
    default:
  }
}

function writeFields(document: Doc): void {
  for (const [name, value] of document) {
    writeByte(typeOf(value).rank);
    writeText(name);
    writeTyped(value);
  }
  writeByte(0);
}

function writeUInt32(value: number): void {
  ensureCapacity(4);
  keyBytes.at = keyBytes.buffer.writeUInt32BE(value >>> 0, keyBytes.at);
}

/**
 * A number of any type: the greatest double not above it, then 0 if that is exact, else 1 and what is missing (for int64
 * beyond 2^53).
 */
function writeNumber(value: Value): void {
  const nearest = toNumber(value);
  if (typeof value !== 'bigint' || BigInt(nearest) === value) {
    writeDouble(nearest);
    writeByte(0);
    return;
  }
  const below = BigInt(nearest) < value ? nearest : nextDown(nearest);
  writeDouble(below);
  writeByte(1);
  writeUInt32(Number(value - BigInt(below)));
}

const scratch = new DataView(new ArrayBuffer(8));

/** The next smaller double of one that is not 0. */
function nextDown(double: number): number {
  scratch.setFloat64(0, double);
  const bits = scratch.getBigInt64(0);
  scratch.setBigInt64(0, double > 0 ? bits - 1n : bits + 1n);
  return scratch.getFloat64(0);
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
