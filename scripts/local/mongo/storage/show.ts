import type { Binary, BSONRegExp, Double } from 'bson';
import { type Doc, type Maybe, typeOf, type Value } from '../bson/values.ts';

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
