import type { Binary, BSONRegExp, ObjectId } from 'bson';
import { type Doc, type Maybe, typeOf, type Value } from './values.ts';

/** MongoDB's order of strings without a collation: by UTF-8 bytes, which is by code point. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    const leftSurrogate = left >= 0xd800 && left <= 0xdfff;
    const rightSurrogate = right >= 0xd800 && right <= 0xdfff;
    if (leftSurrogate !== rightSurrogate) return leftSurrogate ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

/**
 * Compares two values of any types in BSON order: below 0, 0 or above 0. A missing value sorts before everything;
 * callers that want it to equal null pass null.
 */
export function compareValues(a: Maybe, b: Maybe): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  const rank = typeOf(a).rank;
  const other = typeOf(b).rank;
  if (rank !== other) return rank - other;
  switch (rank) {
    case 10:
      return compareNumbers(plainNumber(a as Value), plainNumber(b as Value));
    case 20:
      return compareDocuments(a as Doc, b as Doc);
    case 25:
      return compareArrays(a as Value[], b as Value[]);
    case 30:
      return compareBinaries(a as Binary, b as Binary);
    case 35:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case 40:
      return a === true ? 1 : -1;
    case 45:
      return (a as Date).getTime() - (b as Date).getTime();
    case 50:
      return (
        compareStrings((a as BSONRegExp).pattern, (b as BSONRegExp).pattern) ||
        compareStrings((a as BSONRegExp).options, (b as BSONRegExp).options)
      );
    default:
      return 0;
  }
}

/**
 * Whether two values are equal in the sense of `$eq`: numbers by value, documents including the order of their
 * fields.
 */
export function equalValues(a: Maybe, b: Maybe): boolean {
  return compareValues(a, b) === 0;
}

function plainNumber(value: Value): number | bigint {
  return typeof value === 'bigint' ? value : Number(value);
}

/** Compares two numbers of any numeric types exactly; NaN sorts before all others. */
function compareNumbers(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  if (left > right) return 1;
  // Neither less nor greater: they are equal, or one of them is NaN.
  return Number(Number.isNaN(Number(right))) - Number(Number.isNaN(Number(left)));
}

function compareDocuments(a: Doc, b: Doc): number {
  const left = a.entries();
  const right = b.entries();
  for (;;) {
    const l = left.next();
    const r = right.next();
    if (l.done || r.done) return Number(Boolean(r.done)) - Number(Boolean(l.done));
    const [leftName, leftValue] = l.value;
    const [rightName, rightValue] = r.value;
    const order =
      typeOf(leftValue).rank - typeOf(rightValue).rank ||
      compareStrings(leftName, rightName) ||
      compareValues(leftValue, rightValue);
    if (order !== 0) return order;
  }
}

function compareArrays(a: Value[], b: Value[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareBinaries(a: Binary, b: Binary): number {
  return (
    a.position - b.position ||
    a.sub_type - b.sub_type ||
    Buffer.compare(a.buffer.subarray(0, a.position), b.buffer.subarray(0, b.position))
  );
}
