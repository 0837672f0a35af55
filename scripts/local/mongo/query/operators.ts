import { type Binary, BSONRegExp } from 'bson';
import {
  type Doc,
  isNumeric,
  type Maybe,
  TYPE_NUMBERS,
  toNumber,
  typeOf,
  type Value,
} from '../bson/values.ts';
import { fail } from '../errors.ts';
import { type FilterNode, testNode } from './nodes.ts';
import { patternTest } from './pattern.ts';

/** The field operators other than comparisons; undefined for those that belong to another one ($options). */
export function operatorNode(
  name: string,
  operator: string,
  argument: Value,
  siblings: Doc,
): FilterNode | undefined {
  switch (operator) {
    case '$regex':
      return testNode(name, true, patternTest(regexOf(argument, siblings.get('$options'))));
    case '$options':
      if (!siblings.has('$regex')) fail('BadValue', '$options needs a $regex');
      return undefined;
    case '$type':
      return testNode(name, true, typeTest(argument));
    case '$size':
      return testNode(name, false, sizeTest(argument));
    case '$mod':
      return testNode(name, true, modTest(argument));
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return testNode(name, true, bitTest(operator, argument));
    case '$comment':
      return undefined;
    case '$near':
    case '$nearSphere':
    case '$geoWithin':
    case '$geoIntersects':
    case '$within':
      return fail('NoQueryExecutionPlans', `unable to find index for ${operator} query`);
    default:
      return fail('BadValue', `unknown operator: ${operator}`);
  }
}

function regexOf(argument: Value, options: Maybe): BSONRegExp {
  if (options !== undefined && typeof options !== 'string') fail('BadValue', '$options has to be a string');
  if (argument instanceof BSONRegExp) {
    if (options !== undefined && argument.options !== '') {
      fail(51075, 'options set in both $regex and $options');
    }
    return new BSONRegExp(argument.pattern, (options as string | undefined) ?? argument.options);
  }
  if (typeof argument !== 'string') fail('BadValue', '$regex has to be a string');
  if (argument.includes('\0')) fail(51109, 'Regular expression cannot contain an embedded null byte');
  const flags = (options as string | undefined) ?? '';
  for (const flag of flags)
    if (!'imsxu'.includes(flag)) fail(51108, `invalid flag in regex options: ${flag}`);
  return new BSONRegExp(argument, flags);
}

function typeTest(argument: Value): (value: Maybe) => boolean {
  const wanted = Array.isArray(argument) ? argument : [argument];
  if (wanted.length === 0) fail('FailedToParse', '$type must match at least one type');
  const numbers = new Set<number>();
  for (const type of wanted) {
    if (type === 'number') for (const number of [1, 16, 18, 19]) numbers.add(number);
    else if (typeof type === 'string') {
      const number = TYPE_NUMBERS.get(type);
      if (number === undefined) fail('BadValue', `Unknown type name alias: ${type}`);
      numbers.add(number);
    } else if (isNumeric(type)) {
      const number = toNumber(type);
      if (![...TYPE_NUMBERS.values()].includes(number))
        fail('BadValue', `Invalid numerical type code: ${number}`);
      numbers.add(number);
    } else {
      fail('TypeMismatch', 'type must be represented as a number or a string');
    }
  }
  return (value) => value !== undefined && numbers.has(typeOf(value).number);
}

function sizeTest(argument: Value): (value: Maybe) => boolean {
  if (!isNumeric(argument))
    fail('BadValue', `Failed to parse $size. Expected a number in: $size: ${String(argument)}`);
  const size = toNumber(argument);
  if (!Number.isInteger(size)) fail('BadValue', `Failed to parse $size. Expected an integer: $size: ${size}`);
  if (size < 0) fail('BadValue', `Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  return (value) => Array.isArray(value) && value.length === size;
}

function modTest(argument: Value): (value: Maybe) => boolean {
  if (!Array.isArray(argument)) fail('BadValue', 'malformed mod, needs to be an array');
  if (argument.length < 2) fail('BadValue', 'malformed mod, not enough elements');
  if (argument.length > 2) fail('BadValue', 'malformed mod, too many elements');
  const [divisor, remainder] = argument.map((value) => {
    if (!isNumeric(value)) fail('BadValue', 'malformed mod, divisor or remainder not a number');
    return BigInt(Math.trunc(toNumber(value)));
  }) as [bigint, bigint];
  if (divisor === 0n) fail('BadValue', 'divisor cannot be 0');
  return (value) => {
    if (!isNumeric(value)) return false;
    if (typeof value === 'bigint') return value % divisor === remainder;
    const number = toNumber(value);
    return Number.isFinite(number) && BigInt(Math.trunc(number)) % divisor === remainder;
  };
}

function bitTest(operator: string, argument: Value): (value: Maybe) => boolean {
  const mask = maskOf(operator, argument);
  return (value) => {
    const bits = bitsOf(value);
    if (bits === undefined) return false;
    const set = bits & mask;
    if (operator === '$bitsAllSet') return set === mask;
    if (operator === '$bitsAllClear') return set === 0n;
    return operator === '$bitsAnySet' ? set !== 0n : set !== mask;
  };
}

function maskOf(operator: string, argument: Value): bigint {
  if (Array.isArray(argument)) {
    return argument.reduce<bigint>((mask, position) => {
      const bit = toNumber(position);
      if (!Number.isInteger(bit) || bit < 0)
        fail('BadValue', `Failed to parse bit position. Expected a non-negative number in: ${bit}`);
      return mask | (1n << BigInt(bit));
    }, 0n);
  }
  const bits = bitsOf(argument);
  if (bits === undefined)
    fail(
      'BadValue',
      `${operator} takes an Array, a number, or a BinData but received: ${typeOf(argument).name}`,
    );
  if (isNumeric(argument) && bits < 0n)
    fail('FailedToParse', `Expected a non-negative number in: ${operator}: ${bits}`);
  return bits;
}

function bitsOf(value: Maybe): bigint | undefined {
  if (isNumeric(value)) {
    const number = toNumber(value);
    return typeof value === 'bigint' ? value : Number.isInteger(number) ? BigInt(number) : undefined;
  }
  if (value === undefined || typeOf(value).name !== 'binData') return undefined;
  const binary = value as Binary;
  return [...binary.buffer.subarray(0, binary.position)].reduce(
    (bits, byte, at) => bits | (BigInt(byte) << BigInt(at * 8)),
    0n,
  );
}
