import { type Binary, type BSONRegExp, Double, type ObjectId } from 'bson';

/** A BSON document in memory. A Map, because objects would move numeric field names to the front. */
export type Doc = Map<string, Value>;

/** The class of BSON's deprecated `undefined`. */
class BsonUndefined {
  readonly _bsontype = 'Undefined';
}

/** What indexes and sorts have instead of an empty array; a missing field is JavaScript's `undefined`. */
export const BSON_UNDEFINED = new BsonUndefined();

/**
 * A BSON value in memory. The numeric types differ, so that updates preserve them: int32 is `number`, int64 is
 * `bigint`, double is `Double`.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Double
  | Doc
  | Value[]
  | Date
  | ObjectId
  | Binary
  | BSONRegExp
  | BsonUndefined;

/** A value, or undefined where a path does not exist. */
export type Maybe = Value | undefined;

interface TypeFacts {
  /** The BSON type number, as in `$type`. */
  number: number;
  /** The name of the type, as in `$type` and in error messages. */
  name: string;
  /** The position in the order of types; types with the same rank compare by value. From 1 to 127. */
  rank: number;
}

const facts = (number: number, name: string, rank: number): TypeFacts => ({ number, name, rank });

const DOUBLE = facts(1, 'double', 10);
const STRING = facts(2, 'string', 15);
const OBJECT = facts(3, 'object', 20);
const ARRAY = facts(4, 'array', 25);
const BOOL = facts(8, 'bool', 40);
const DATE = facts(9, 'date', 45);
const NULL = facts(10, 'null', 5);
const INT = facts(16, 'int', 10);
const LONG = facts(18, 'long', 10);
const MISSING = facts(0, 'missing', 3);

const BY_BSON_TYPE: Record<string, TypeFacts> = {
  Double: DOUBLE,
  Binary: facts(5, 'binData', 30),
  ObjectId: facts(7, 'objectId', 35),
  BSONRegExp: facts(11, 'regex', 50),
  Undefined: facts(6, 'undefined', 4),
};

/** Every type name that `$type` accepts, with its number. */
export const TYPE_NUMBERS = new Map<string, number>(
  [DOUBLE, STRING, OBJECT, ARRAY, BOOL, DATE, NULL, INT, LONG, ...Object.values(BY_BSON_TYPE)].map((type) => [
    type.name,
    type.number,
  ]),
);

/** The BSON type of a value. */
export function typeOf(value: Maybe): TypeFacts {
  switch (typeof value) {
    case 'number':
      return INT;
    case 'string':
      return STRING;
    case 'boolean':
      return BOOL;
    case 'bigint':
      return LONG;
    case 'undefined':
      return MISSING;
    default:
  }
  if (value === null) return NULL;
  if (value instanceof Map) return OBJECT;
  if (Array.isArray(value)) return ARRAY;
  if (value instanceof Date) return DATE;
  return BY_BSON_TYPE[value._bsontype]!;
}

/** Whether a value has one of the three numeric types. */
export function isNumeric(value: Maybe): value is number | bigint | Double {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double;
}

/** The value as a JavaScript number, rounded if necessary; NaN if it is not a number. */
export function toNumber(value: Maybe): number {
  return isNumeric(value) ? Number(value) : Number.NaN;
}

/** Whether the value of an option counts as true (MongoDB accepts numbers and null as booleans). */
export function isTruthy(value: Maybe): boolean {
  if (value === undefined || value === null || value === false || value === BSON_UNDEFINED) return false;
  return isNumeric(value) ? toNumber(value) !== 0 : true;
}

/** A document as MongoDB's messages show it: `{ a: 1, b: "x" }`. */
export function showDocument(document: Doc): string {
  if (document.size === 0) return '{}';
  return `{ ${[...document].map(([name, value]) => `${name}: ${showValue(value)}`).join(', ')} }`;
}

/** A value as MongoDB's messages show it. */
export function showValue(value: Maybe): string {
  if (value instanceof Map) return showDocument(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(showValue).join(', ')} ]`;
  switch (typeOf(value).name) {
    case 'string':
      return JSON.stringify(value);
    case 'double': {
      const number = (value as Double).value;
      return Number.isInteger(number) ? `${number}.0` : String(number);
    }
    case 'objectId':
      return `ObjectId('${String(value)}')`;
    case 'date':
      return `new Date(${(value as Date).getTime()})`;
    case 'binData': {
      const binary = value as Binary;
      const hex = Buffer.from(binary.buffer.subarray(0, binary.position)).toString('hex').toUpperCase();
      return binary.sub_type === 4
        ? `UUID("${hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}")`
        : `BinData(${binary.sub_type}, ${hex})`;
    }
    case 'regex':
      return `/${(value as BSONRegExp).pattern}/${(value as BSONRegExp).options}`;
    case 'undefined':
      return 'undefined';
    default:
      return String(value as Exclude<Value, symbol>);
  }
}
