import { ObjectId } from 'bson';
import { evalExpr } from 'mingo/core';
import * as mingoAccumulators from 'mingo/operators/accumulator';
import * as mingoExpressions from 'mingo/operators/expression';
import { typeOf } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { encodeKey } from '../storage/key.ts';
import { fromPlain } from './plain.ts';

/** mingo's own options, which are passed through. */
type Options = Parameters<typeof evalExpr>[2];
type Expression = (document: unknown, expression: unknown, options: Options) => unknown;
type Accumulator = (documents: unknown[], expression: unknown, options: Options) => unknown;

/** Represents a missing value in mingo's `$push`, which would otherwise turn it into null. */
const ABSENT = Symbol('absent');

const orAbsent = (value: unknown) => (value === undefined ? ABSENT : value);

function refused(name: string): Expression & Accumulator {
  return () =>
    fail('QueryFeatureNotAllowed', `${name} is not supported by this server: it would run a client's code`);
}

/** mingo's window stage calls its own functions in this way; clients can only send text. */
const ownFunction: Expression = (document, expression, options) => {
  const { body } = expression as { body?: unknown };
  if (typeof body !== 'function') return refused('$function')([], expression, options);
  return mingoExpressions.$function(document as never, expression as never, options as never);
};

const push: Accumulator = (documents, expression, options) => {
  if (expression === null || expression === undefined) return documents;
  const values = mingoAccumulators.$push(
    documents as never,
    { $orAbsent: expression },
    options as never,
  ) as unknown[];
  return values.filter((value) => value !== ABSENT);
};

const addToSet: Accumulator = (documents, expression, options) => {
  const distinct = new Map<string, unknown>();
  for (const value of push(documents, expression, options) as unknown[]) {
    const key = encodeKey(fromPlain(value) ?? null).toString('latin1');
    if (!distinct.has(key)) distinct.set(key, value);
  }
  return [...distinct.values()];
};

const toText: Expression = (document, expression, options) => {
  const value = evalExpr(document, expression, options);
  if (value instanceof ObjectId) return value.toHexString();
  const bson = value !== null && typeof value === 'object' && '_bsontype' in value;
  return bson ? String(value) : mingoExpressions.$toString(document as never, { $literal: value }, options);
};

const toObjectId: Expression = (document, expression, options) => {
  const value = evalExpr(document, expression, options);
  if (value === null || value === undefined || value instanceof ObjectId) return value ?? null;
  if (typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
  return fail(
    'ConversionFailure',
    `Failed to parse objectId '${String(value)}' in $convert with no onError value: Invalid string length for parsing to OID, expected 24 but found ${String(value).length}`,
  );
};

/** Unwraps a result that mingo returns as a list with one element. */
function single(accumulator: Accumulator): Accumulator {
  return (documents, expression, options) => {
    const result = accumulator(documents, expression, options);
    return Array.isArray(result) && result.length <= 1 ? (result[0] ?? null) : result;
  };
}

/** mingo's expression operators, with those that it lacks or implements differently from MongoDB. */
export const expressions: Record<string, unknown> = {
  ...mingoExpressions,
  $toString: toText,
  $toObjectId: toObjectId,
  $type: ((document, expression, options) =>
    typeOf(fromPlain(evalExpr(document, expression, options))).name) as Expression,
  $function: ownFunction,
  $orAbsent: ((document, expression, options) =>
    orAbsent(evalExpr(document, expression, options))) as Expression,
};

/** mingo's accumulators, with those that it implements differently from MongoDB. */
export const accumulators: Record<string, unknown> = {
  ...mingoAccumulators,
  $push: push,
  $addToSet: addToSet,
  $top: single(mingoAccumulators.$top as never),
  $bottom: single(mingoAccumulators.$bottom as never),
  $accumulator: refused('$accumulator'),
};
