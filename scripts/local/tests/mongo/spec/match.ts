import { BSON, type Document } from 'mongodb';

/** The difference between an actual and an expected value, with its path. */
export class Mismatch extends Error {}

/** Looks up an entity by name, for `$$matchesEntity` and `$$sessionLsid`. */
export type EntityLookup = (name: string) => unknown;

/**
 * How a document may differ from the expected one: at the root of a result or command, additional keys are allowed.
 */
interface Strictness {
  moreKeys: boolean;
}

const ROOT: Strictness = { moreKeys: true };
const EXACT: Strictness = { moreKeys: false };

/** Matches a result or command: its outermost document (or each document of a list) may have additional keys. */
export function matchRoot(expected: unknown, actual: unknown, lookup: EntityLookup, path = 'result'): void {
  if (Array.isArray(expected)) {
    matchList(expected, actual, lookup, path, ROOT);
  } else {
    match(expected, actual, lookup, path, ROOT);
  }
}

/** Matches stored documents: the same number, in the same order, without additional keys. */
export function matchExact(expected: unknown, actual: unknown, lookup: EntityLookup, path: string): void {
  match(expected, actual, lookup, path, EXACT);
}

function match(
  expected: unknown,
  given: unknown,
  lookup: EntityLookup,
  path: string,
  strictness: Strictness,
): void {
  const actual = given instanceof Map ? Object.fromEntries(given) : given;
  if (isPlain(expected)) {
    const names = Object.keys(expected);
    if (names.length === 1 && names[0]!.startsWith('$$')) {
      matchOperator(names[0]!, expected[names[0]!], actual, lookup, path, strictness);
    } else {
      matchDocument(expected, actual, lookup, path, strictness);
    }
  } else if (Array.isArray(expected)) {
    matchList(expected, actual, lookup, path, EXACT);
  } else if (!sameScalar(expected, actual)) {
    throw mismatch(path, expected, actual);
  }
}

function matchDocument(
  expected: Document,
  actual: unknown,
  lookup: EntityLookup,
  path: string,
  strictness: Strictness,
): void {
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) {
    throw mismatch(path, expected, actual);
  }
  const document = actual as Document;
  for (const [key, value] of Object.entries(expected)) {
    const operator = isPlain(value) ? Object.keys(value)[0] : undefined;
    const present = document[key] !== undefined;
    if (operator === '$$exists') {
      if (present !== value.$$exists) throw mismatch(`${path}.${key}`, value, document[key]);
    } else if (!present && operator === '$$unsetOrMatches') {
      // Being absent is one of the two alternatives that this operator accepts.
    } else if (!present) {
      throw mismatch(`${path}.${key}`, value, undefined);
    } else {
      match(value, document[key], lookup, `${path}.${key}`, EXACT);
    }
  }
  if (strictness.moreKeys) return;
  for (const key of Object.keys(document)) {
    if (!Object.hasOwn(expected, key) && document[key] !== undefined) {
      throw mismatch(`${path}.${key}`, 'no such key', document[key]);
    }
  }
}

function matchList(
  expected: unknown[],
  actual: unknown,
  lookup: EntityLookup,
  path: string,
  strictness: Strictness,
): void {
  if (!Array.isArray(actual) || actual.length !== expected.length) throw mismatch(path, expected, actual);
  for (const [at, element] of expected.entries()) {
    match(element, actual[at], lookup, `${path}.${at}`, strictness);
  }
}

function matchOperator(
  operator: string,
  argument: unknown,
  actual: unknown,
  lookup: EntityLookup,
  path: string,
  strictness: Strictness,
): void {
  switch (operator) {
    case '$$unsetOrMatches':
      if (actual !== undefined && actual !== null) match(argument, actual, lookup, path, strictness);
      return;
    case '$$exists':
      if ((actual !== undefined) !== argument) throw mismatch(path, { $$exists: argument }, actual);
      return;
    case '$$type':
      if (![argument].flat().some((name) => isOfType(name as string, actual))) {
        throw mismatch(path, { $$type: argument }, actual);
      }
      return;
    case '$$matchesEntity':
      match(lookup(argument as string), actual, lookup, path, strictness);
      return;
    case '$$sessionLsid':
      match((lookup(argument as string) as { id: unknown }).id, actual, lookup, path, EXACT);
      return;
    case '$$matchAsRoot':
      match(argument, actual, lookup, path, ROOT);
      return;
    case '$$matchAsDocument':
      match(argument, parsed(actual, path), lookup, path, EXACT);
      return;
    case '$$lte':
      if (!(Number(actual) <= Number(argument))) throw mismatch(path, { $$lte: argument }, actual);
      return;
    default:
      throw new Mismatch(`${path}: the runner does not know ${operator}`);
  }
}

/** Parses a string of Extended JSON. */
function parsed(actual: unknown, path: string): Document {
  let document: unknown;
  try {
    document = BSON.EJSON.parse(String(actual));
  } catch (error) {
    throw new Mismatch(`${path}: ${String(actual)} is not extended JSON: ${String(error)}`);
  }
  if (!isPlain(document)) throw new Mismatch(`${path}: ${String(actual)} is not a document`);
  return document;
}

function isOfType(name: string, actual: unknown): boolean {
  const bsonType = (actual as { _bsontype?: string } | null | undefined)?._bsontype;
  switch (name) {
    case 'double':
      return bsonType === 'Double' || typeof actual === 'number';
    case 'int':
      return bsonType === 'Int32' || Number.isInteger(actual);
    case 'long':
      return bsonType === 'Long' || typeof actual === 'bigint' || Number.isInteger(actual);
    case 'number':
      return ['Double', 'Int32', 'Long', 'Decimal128'].includes(bsonType ?? '') || typeof actual === 'number';
    case 'string':
      return typeof actual === 'string';
    case 'bool':
      return typeof actual === 'boolean';
    case 'null':
      return actual === null;
    case 'date':
      return actual instanceof Date;
    case 'array':
      return Array.isArray(actual);
    case 'object':
      return isPlain(actual);
    case 'objectId':
      return bsonType === 'ObjectId';
    case 'binData':
      return bsonType === 'Binary' || actual instanceof Uint8Array;
    case 'timestamp':
      return bsonType === 'Timestamp';
    case 'decimal':
      return bsonType === 'Decimal128';
    case 'regex':
      return actual instanceof RegExp || bsonType === 'BSONRegExp';
    default:
      throw new Mismatch(`the runner does not know the type ${name}`);
  }
}

/** Numbers are compared by value, whatever their width; other values by their Extended JSON. */
function sameScalar(expected: unknown, actual: unknown): boolean {
  if (Object.is(expected, actual)) return true;
  if (expected == null || actual == null) return false;
  const numbers = [expected, actual].map(numeric);
  if (numbers.every((number) => number !== undefined)) return numbers[0] === numbers[1];
  return BSON.EJSON.stringify([expected]) === BSON.EJSON.stringify([actual]);
}

function numeric(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const type = (value as { _bsontype?: string })._bsontype;
  return type === 'Int32' || type === 'Long' || type === 'Double' ? Number(String(value)) : undefined;
}

function isPlain(value: unknown): value is Document {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return !('_bsontype' in value) && !(value instanceof Date) && !(value instanceof RegExp);
}

function mismatch(path: string, expected: unknown, actual: unknown): Mismatch {
  return new Mismatch(`${path}: expected ${show(expected)}, got ${show(actual)}`);
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : BSON.EJSON.stringify(value as Document);
}
