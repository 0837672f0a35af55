import { Timestamp } from 'bson';
import { compareValues } from '../bson/compare.ts';
import { isNumeric, type Maybe, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { showValue } from '../storage/show.ts';
import { calculate } from './arithmetic.ts';
import { changeArray } from './arrays.ts';
import { type ChangeContext, lastPart } from './context.ts';
import type { Change } from './parse.ts';

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
    case '$mul':
      return changeNumber(change, current, context);
    case '$min':
    case '$max': {
      if (current === undefined) return argument;
      const order = compareValues(argument, current, context.collation.compare);
      return (operator === '$min' ? order < 0 : order > 0) ? argument : current;
    }
    case '$currentDate':
      return currentDate(argument);
    case '$bit':
      return changeBits(change, current, context);
    case '$rename':
      return current;
    default:
      return changeArray(change, current, context);
  }
}

function changeNumber({ operator, path, argument }: Change, current: Maybe, context: ChangeContext): Value {
  if (!isNumeric(argument)) {
    const verb = operator === '$inc' ? 'increment' : 'multiply';
    fail('TypeMismatch', `Cannot ${verb} with non-numeric argument: {${path}: ${showValue(argument)}}`);
  }
  if (current === undefined) return operator === '$inc' ? argument : calculate('*', argument, 0)!;
  if (!isNumeric(current)) {
    fail(
      'TypeMismatch',
      `Cannot apply ${operator} to a value of non-numeric type. {_id: ${context.id}} has the field '${lastPart(path)}' of non-numeric type ${typeOf(current).name}`,
    );
  }
  const result = calculate(operator === '$inc' ? '+' : '*', current, argument);
  if (result === undefined) {
    fail(
      'BadValue',
      `Failed to apply ${operator} operations to current value ((NumberLong)${showValue(current)}) for document {_id: ${context.id}}`,
    );
  }
  return result;
}

function currentDate(argument: Value): Value {
  if (argument === true || argument === false) return new Date();
  if (argument instanceof Map && argument.size === 1) {
    const type = argument.get('$type');
    if (type === 'date') return new Date();
    if (type === 'timestamp') return nextTimestamp();
    if (argument.has('$type')) {
      fail(
        'BadValue',
        "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}",
      );
    }
  }
  if (argument instanceof Map)
    fail('BadValue', `Unrecognized $currentDate option: ${argument.keys().next().value}`);
  return fail(
    'BadValue',
    `${typeOf(argument).name} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
  );
}

let lastTimestamp = { t: 0, i: 0 };

/** A BSON timestamp of the current time that is greater than all earlier ones. */
export function nextTimestamp(): Timestamp {
  const t = Math.floor(Date.now() / 1000);
  lastTimestamp = t > lastTimestamp.t ? { t, i: 1 } : { t: lastTimestamp.t, i: lastTimestamp.i + 1 };
  return new Timestamp(lastTimestamp);
}

function changeBits({ path, argument }: Change, current: Maybe, context: ChangeContext): Value {
  if (!(argument instanceof Map)) {
    fail(
      'BadValue',
      `The $bit modifier is not compatible with a ${typeOf(argument).name}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  if (argument.size === 0) {
    fail(
      'BadValue',
      'You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}',
    );
  }
  let value: Value = current ?? 0;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    fail(
      'BadValue',
      `Cannot apply $bit to a value of non-integral type.{_id: ${context.id}} has the field ${lastPart(path)} of non-integer type ${typeOf(value).name}`,
    );
  }
  for (const [operation, operand] of argument) {
    if (!['and', 'or', 'xor'].includes(operation)) {
      fail(
        'BadValue',
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${operation}' which is an unknown operator: {${operation}: ${showValue(operand)}}`,
      );
    }
    if (typeof operand !== 'number' && typeof operand !== 'bigint') {
      fail(
        'BadValue',
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeOf(operand).name}' is not supported here: {${operation}: ${showValue(operand)}}`,
      );
    }
    const left = BigInt(value as number | bigint);
    const right = BigInt(operand);
    const result: bigint =
      operation === 'and' ? left & right : operation === 'or' ? left | right : left ^ right;
    value = typeof value === 'bigint' || typeof operand === 'bigint' ? result : Number(result);
  }
  return value;
}
