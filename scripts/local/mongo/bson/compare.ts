import type { Binary, BSONRegExp, Code, Decimal128, Double, ObjectId, Timestamp } from 'bson';
import { compareDecimals, compareDecimalToDouble, parseExact } from './decimal.ts';
import { type Doc, type Maybe, type OpaqueValue, typeOf, type Value } from './values.ts';

/** Compares two strings; a collation replaces the default. */
export type StringOrder = (a: string, b: string) => number;

/** MongoDB's order without a collation: by UTF-8 bytes, which is by code point. */
export function compareStrings(a: string, b: string): number {
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
 * Compares two values of any types in BSON order: below 0, 0 or above 0. A missing value sorts before everything
 * except MinKey; callers that want it to equal null pass null.
 */
export function compareValues(a: Maybe, b: Maybe, strings: StringOrder = compareStrings): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return strings(a, b);
  const rank = typeOf(a).rank;
  const other = typeOf(b).rank;
  if (rank !== other) return rank - other;
  switch (rank) {
    case 10:
      return compareNumbers(a as Value, b as Value);
    case 15:
      return strings(textOf(a), textOf(b));
    case 20:
      return compareDocuments(a as Doc, b as Doc, strings);
    case 25:
      return compareArrays(a as Value[], b as Value[], strings);
    case 30:
      return compareBinaries(a as Binary, b as Binary);
    case 35:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case 40:
      return a === true ? 1 : -1;
    case 45:
      return (a as Date).getTime() - (b as Date).getTime();
    case 47:
      return (a as Timestamp).t - (b as Timestamp).t || (a as Timestamp).i - (b as Timestamp).i;
    case 50:
      return (
        compareStrings((a as BSONRegExp).pattern, (b as BSONRegExp).pattern) ||
        compareStrings((a as BSONRegExp).options, (b as BSONRegExp).options)
      );
    case 55:
      return Buffer.compare((a as OpaqueValue).bytes, (b as OpaqueValue).bytes);
    case 60:
      return compareStrings((a as Code).code, (b as Code).code);
    case 65:
      return (
        compareStrings((a as Code).code, (b as Code).code) ||
        compareDocuments((a as Code).scope as unknown as Doc, (b as Code).scope as unknown as Doc, strings)
      );
    default:
      return 0;
  }
}

/**
 * Whether two values are equal in the sense of `$eq`: numbers by value, documents including the order of their
 * fields.
 */
export function equalValues(a: Maybe, b: Maybe, strings?: StringOrder): boolean {
  return compareValues(a, b, strings) === 0;
}

/** The text of a string or symbol. */
export function textOf(value: Maybe): string {
  return typeof value === 'string' ? value : (value as { value: string }).value;
}

function plainNumber(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return (value as Double)._bsontype === 'Double' ? (value as Double).value : undefined;
}

/** Compares two numbers of any numeric types exactly; NaN sorts before all others. */
function compareNumbers(a: Value, b: Value): number {
  const left = plainNumber(a);
  const right = plainNumber(b);
  if (left !== undefined && right !== undefined) {
    if (left < right) return -1;
    if (left > right) return 1;
    // Neither less nor greater: they are equal, or one of them is NaN.
    return Number(Number.isNaN(Number(right))) - Number(Number.isNaN(Number(left)));
  }
  const leftText = String(left ?? (a as Decimal128).toString());
  const rightText = String(right ?? (b as Decimal128).toString());
  const leftDouble = Number(leftText);
  const rightDouble = Number(rightText);
  if (Number.isNaN(leftDouble) || Number.isNaN(rightDouble)) {
    return Number(Number.isNaN(rightDouble)) - Number(Number.isNaN(leftDouble));
  }
  if (leftDouble !== rightDouble) return leftDouble < rightDouble ? -1 : 1;
  const leftInfinite = leftText.includes('Inf');
  const rightInfinite = rightText.includes('Inf');
  if (leftInfinite || rightInfinite) {
    if (leftInfinite && rightInfinite) return 0;
    return leftInfinite === leftDouble > 0 ? 1 : -1;
  }
  if (typeof left === 'number') return -compareDecimalToDouble(parseExact(rightText), left);
  if (typeof right === 'number') return compareDecimalToDouble(parseExact(leftText), right);
  return compareDecimals(parseExact(leftText), parseExact(rightText));
}

function compareDocuments(a: Doc, b: Doc, strings: StringOrder): number {
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
      compareValues(leftValue, rightValue, strings);
    if (order !== 0) return order;
  }
}

function compareArrays(a: Value[], b: Value[], strings: StringOrder): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(a[index], b[index], strings);
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
