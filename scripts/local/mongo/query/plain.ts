import { Double, Long } from 'bson';
import { equalValues } from '../bson/compare.ts';
import type { Doc, Maybe, Value } from '../bson/values.ts';

/**
 * Converts a value for mingo: documents to plain objects, numbers to JavaScript numbers (int64 beyond 2^53 to bson's
 * Long).
 */
export function toPlain(value: Maybe): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : Long.fromBigInt(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return toPlainObject(value);
  if (Array.isArray(value)) return value.map(toPlain);
  return value instanceof Double ? value.value : value;
}

/** Converts a document for mingo. */
export function toPlainObject(document: Doc): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of document) if (name !== '__proto__') plain[name] = toPlain(value);
  return plain;
}

/**
 * Converts a computed value to BSON: integers become int32, or int64 beyond its range, other numbers double. If the
 * value equals `original`, the value before the computation, it keeps that value's exact type.
 */
function fromPlain(value: unknown, original?: Maybe): Maybe {
  const result = convert(value, original);
  if (original === undefined || original === null || typeof original === 'string' || result === undefined)
    return result;
  const scalar = !(result instanceof Map) && !Array.isArray(result);
  return scalar && equalValues(result, original) ? original : result;
}

function convert(value: unknown, original: Maybe): Maybe {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'number':
      return fromNumber(value);
    case 'bigint':
      return BigInt.asIntN(64, value);
    case 'string':
    case 'boolean':
      return value;
    default:
  }
  if (value === null) return null;
  if (Array.isArray(value)) {
    const before = Array.isArray(original) ? original : [];
    return value.map((element, index) => fromPlain(element, before[index]) ?? null);
  }
  if (value instanceof Long) return value.toBigInt();
  if (value instanceof Map || value instanceof Date || '_bsontype' in (value as object))
    return value as Value;
  return fromPlainObject(value as Record<string, unknown>, original instanceof Map ? original : undefined);
}

function fromNumber(value: number): Value {
  if (Number.isInteger(value) && !Object.is(value, -0)) {
    if (value === (value | 0)) return value;
    if (Number.isSafeInteger(value)) return BigInt(value);
  }
  return new Double(value);
}

/** Converts a computed document to BSON; see fromPlain for `original`. */
export function fromPlainObject(plain: Record<string, unknown>, original?: Doc): Doc {
  const document: Doc = new Map();
  for (const name of Object.keys(plain)) {
    const value = fromPlain(plain[name], original?.get(name));
    if (value !== undefined) document.set(name, value);
  }
  return document;
}
