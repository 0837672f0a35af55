import { Double } from 'bson';
import { compareValues, equalValues } from '../bson/compare.ts';
import {
  type Doc,
  isNumeric,
  type Maybe,
  showDocument,
  showValue,
  toNumber,
  typeOf,
  type Value,
} from '../bson/values.ts';
import { fail } from '../errors.ts';
import { fieldNodes, isConditionOnValues, parseNodes } from '../query/filter.ts';
import { allOf } from '../query/nodes.ts';
import type { Change } from './parse.ts';

/** What an operator needs besides the value that it changes. */
interface ChangeContext {
  /** The document's `_id` for error messages. */
  id: string;
  insert: boolean;
}

/** A document's `_id` as error messages show it. */
export function showId(document: Doc): string {
  return document.has('_id') ? showValue(document.get('_id')) : showDocument(document);
}

/** The new value of a field (undefined removes it); `current` is undefined when there is none. */
export function changeValue(change: Change, current: Maybe, context: ChangeContext): Maybe {
  const { operator, argument } = change;
  switch (operator) {
    case '$set':
      return argument;
    case '$setOnInsert':
      return context.insert ? argument : current;
    case '$unset':
      return undefined;
    case '$inc':
      return increment(change, current, context);
    case '$min':
    case '$max': {
      if (current === undefined) return argument;
      const order = compareValues(argument, current);
      return (operator === '$min' ? order < 0 : order > 0) ? argument : current;
    }
    case '$rename':
      return current;
    case '$push':
      return push(change, current, context);
    case '$addToSet':
      return addToSet(change, current);
    case '$pull':
      return pull(change, current);
  }
}

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** As in MongoDB, int32 becomes int64 on overflow, and a double operand gives a double. */
function increment({ path, argument }: Change, current: Maybe, context: ChangeContext): Value {
  if (!isNumeric(argument)) {
    fail('TypeMismatch', `Cannot increment with non-numeric argument: {${path}: ${showValue(argument)}}`);
  }
  if (current === undefined) return argument;
  if (!isNumeric(current)) {
    fail(
      'TypeMismatch',
      `Cannot apply $inc to a value of non-numeric type. {_id: ${context.id}} has the field '${lastPart(path)}' of non-numeric type ${typeOf(current).name}`,
    );
  }
  if (current instanceof Double || argument instanceof Double) {
    return new Double(toNumber(current) + toNumber(argument));
  }
  const result = BigInt(current) + BigInt(argument);
  if (result > INT64_MAX || result < INT64_MIN) {
    fail(
      'BadValue',
      `Failed to apply $inc operations to current value ((NumberLong)${showValue(current)}) for document {_id: ${context.id}}`,
    );
  }
  const small = Number(result);
  return typeof current === 'number' && typeof argument === 'number' && small === (small | 0)
    ? small
    : result;
}

/** The elements that `$push` and `$addToSet` add: one, or those of `$each`, which this server has alone. */
function added({ operator, argument }: Change): Value[] {
  if (!(argument instanceof Map) || !argument.has('$each')) return [argument];
  const each = argument.get('$each')!;
  if (!Array.isArray(each)) {
    fail(
      'BadValue',
      `The argument to $each in ${operator} must be an array but it was of type: ${typeOf(each).name}`,
    );
  }
  const other = [...argument.keys()].find((name) => name !== '$each');
  if (other !== undefined)
    fail('BadValue', `Unrecognized clause in ${operator}: ${other}. This server does not know it.`);
  return each;
}

function push(change: Change, current: Maybe, context: ChangeContext): Value {
  if (current !== undefined && !Array.isArray(current)) {
    fail(
      'BadValue',
      `The field '${change.path}' must be an array but is of type ${typeOf(current).name} in document {_id: ${context.id}}`,
    );
  }
  return [...(current ?? []), ...added(change)];
}

function addToSet(change: Change, current: Maybe): Value {
  if (current !== undefined && !Array.isArray(current)) {
    fail(
      'BadValue',
      `Cannot apply $addToSet to non-array field. Field named '${lastPart(change.path)}' has non-array type ${typeOf(current).name}`,
    );
  }
  const array = [...(current ?? [])];
  for (const value of added(change)) if (!array.some((each) => equalValues(each, value))) array.push(value);
  return array;
}

function pull({ argument }: Change, current: Maybe): Maybe {
  if (current === undefined) return undefined;
  if (!Array.isArray(current)) fail('BadValue', 'Cannot apply $pull to a non-array value');
  const gone = pullTest(argument);
  return current.filter((value) => !gone(value));
}

/**
 * What `$pull` removes: elements that equal a value or match its conditions; documents are matched by a filter on
 * their fields.
 */
function pullTest(argument: Value): (value: Value) => boolean {
  if (argument instanceof Map && !isConditionOnValues(argument)) {
    const test = allOf(parseNodes(argument));
    return (value) => value instanceof Map && test(value);
  }
  const test = allOf(fieldNodes('', argument));
  if (argument instanceof Map) return (value) => test(value);
  if (typeOf(argument).name === 'regex') return (value) => !Array.isArray(value) && test(value);
  return (value) => equalValues(argument, value);
}

/** The last part of a dotted path. */
function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
