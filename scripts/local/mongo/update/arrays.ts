import { compareValues } from '../bson/compare.ts';
import { type Doc, isNumeric, type Maybe, toNumber, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { fieldNodes, parseNodes } from '../query/filter.ts';
import { allOf, isOperatorDocument } from '../query/nodes.ts';
import { compareSortKeys, parseSort, sortKey } from '../query/sort.ts';
import { showValue } from '../storage/show.ts';
import { type ChangeContext, includesValue, lastPart } from './context.ts';
import type { Change } from './parse.ts';

/** The new value of a field that an array operator changes. */
export function changeArray(change: Change, current: Maybe, context: ChangeContext): Maybe {
  switch (change.operator) {
    case '$push':
      return push(change, current, context);
    case '$addToSet':
      return addToSet(change, current, context);
    case '$pop':
      return pop(change, current);
    case '$pull':
      return pull(change, current, context);
    default:
      return pullAll(change, current, context);
  }
}

interface PushModifiers {
  each: Value[];
  slice: number | undefined;
  sort: Value | undefined;
  position: number | undefined;
}

function pushModifiers(argument: Value): PushModifiers {
  if (!(argument instanceof Map) || !argument.has('$each')) {
    return { each: [argument], slice: undefined, sort: undefined, position: undefined };
  }
  const each = argument.get('$each')!;
  if (!Array.isArray(each)) {
    fail(
      'BadValue',
      `The argument to $each in $push must be an array but it was of type: ${typeOf(each).name}`,
    );
  }
  for (const name of argument.keys()) {
    if (!['$each', '$slice', '$sort', '$position'].includes(name))
      fail('BadValue', `Unrecognized clause in $push: ${name}`);
  }
  const number = (name: string) => {
    const value = argument.get(name);
    if (value === undefined) return undefined;
    if (!isNumeric(value) || !Number.isInteger(toNumber(value))) {
      fail(
        'BadValue',
        `The value for ${name} must be an integer value but was given type: ${typeOf(value).name}`,
      );
    }
    return toNumber(value);
  };
  return { each, slice: number('$slice'), sort: argument.get('$sort'), position: number('$position') };
}

function push({ path, argument }: Change, current: Maybe, context: ChangeContext): Value {
  if (current !== undefined && !Array.isArray(current)) {
    fail(
      'BadValue',
      `The field '${path}' must be an array but is of type ${typeOf(current).name} in document {_id: ${context.id}}`,
    );
  }
  const { each, slice, sort, position } = pushModifiers(argument);
  const array = [...(current ?? [])];
  if (position === undefined) array.push(...each);
  else array.splice(position < 0 ? Math.max(0, array.length + position) : position, 0, ...each);
  if (sort !== undefined) array.sort(elementOrder(sort, context));
  if (slice === undefined) return array;
  return slice >= 0 ? array.slice(0, slice) : array.slice(slice);
}

function elementOrder(sort: Value, context: ChangeContext): (a: Value, b: Value) => number {
  const { compare } = context.collation;
  if (isNumeric(sort)) {
    const direction = toNumber(sort);
    if (direction !== 1 && direction !== -1)
      fail('BadValue', 'The $sort element value must be either 1 or -1');
    return (a, b) => compareValues(a, b, compare) * direction;
  }
  if (!(sort instanceof Map) || sort.size === 0) {
    fail(
      'BadValue',
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields',
    );
  }
  const fields = parseSort(sort);
  const keyOf = (value: Value) =>
    sortKey(value instanceof Map ? value : new Map(), fields, context.collation);
  return (a, b) => compareSortKeys(keyOf(a), keyOf(b), fields, context.collation);
}

function addToSet({ argument, path }: Change, current: Maybe, context: ChangeContext): Value {
  if (current !== undefined && !Array.isArray(current)) {
    fail(
      'BadValue',
      `Cannot apply $addToSet to non-array field. Field named '${lastPart(path)}' has non-array type ${typeOf(current).name}`,
    );
  }
  let each: Value[] = [argument];
  if (argument instanceof Map && argument.has('$each')) {
    const list = argument.get('$each')!;
    if (!Array.isArray(list)) {
      fail(
        'TypeMismatch',
        `The argument to $each in $addToSet must be an array but it was of type ${typeOf(list).name}`,
      );
    }
    if (argument.size > 1) {
      const other = [...argument.keys()].find((name) => name !== '$each');
      fail('BadValue', `Found unexpected fields after $each in $addToSet: ${other}`);
    }
    each = list;
  }
  const array = [...(current ?? [])];
  for (const value of each) if (!includesValue(array, value, context.collation)) array.push(value);
  return array;
}

function pop({ argument, path }: Change, current: Maybe): Maybe {
  const end = isNumeric(argument) ? toNumber(argument) : Number.NaN;
  if (end !== 1 && end !== -1) {
    const message = Number.isNaN(end)
      ? `Expected a number in: ${path}: ${showValue(argument)}`
      : `$pop expects 1 or -1, found: ${end}`;
    fail('FailedToParse', message);
  }
  if (current === undefined) return undefined;
  if (!Array.isArray(current)) {
    fail('TypeMismatch', `Path '${path}' contains an element of non-array type '${typeOf(current).name}'`);
  }
  return end === 1 ? current.slice(0, -1) : current.slice(1);
}

function pull({ argument }: Change, current: Maybe, context: ChangeContext): Maybe {
  if (current === undefined) return undefined;
  if (!Array.isArray(current)) fail('BadValue', 'Cannot apply $pull to a non-array value');
  const gone = pullTest(argument, context);
  return current.filter((value) => !gone(value));
}

/**
 * What `$pull` removes: elements that equal a value or match its conditions; documents are matched by a filter on
 * their fields.
 */
function pullTest(argument: Value, context: ChangeContext): (value: Value) => boolean {
  if (
    argument instanceof Map &&
    isOperatorDocument(argument) &&
    !['$and', '$or', '$nor', '$expr'].includes(argument.keys().next().value!)
  ) {
    const test = allOf(fieldNodes('', argument, context));
    return (value) => test(value);
  }
  if (argument instanceof Map) {
    const test = allOf(parseNodes(argument as Doc, context));
    return (value) => value instanceof Map && test(value);
  }
  const test = allOf(fieldNodes('', argument, context));
  if (typeOf(argument).name === 'regex') return (value) => !Array.isArray(value) && test(value);
  return (value) => includesValue([argument], value, context.collation);
}

function pullAll({ argument, path }: Change, current: Maybe, context: ChangeContext): Maybe {
  if (!Array.isArray(argument)) {
    fail('BadValue', `$pullAll requires an array argument but was given a ${typeOf(argument).name}`);
  }
  if (current === undefined) return undefined;
  if (!Array.isArray(current)) fail('BadValue', `Cannot apply $pullAll to a non-array value at '${path}'`);
  return current.filter((value) => !includesValue(argument, value, context.collation));
}
