import { Decimal128, Double } from 'bson';
import { parseExact } from '../bson/decimal.ts';
import { isNumeric, toNumber, type Value } from '../bson/values.ts';

type Arithmetic = '+' | '*';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/**
 * Adds or multiplies as MongoDB does: int32 becomes int64 on overflow, a double operand gives a double, a decimal a
 * decimal.
 * @returns undefined when the result does not fit into an int64
 */
export function calculate(operation: Arithmetic, a: Value, b: Value): Value | undefined {
  if (isDecimal(a) || isDecimal(b)) return calculateDecimal(operation, a, b);
  if (isDouble(a) || isDouble(b)) {
    const left = toNumber(a);
    const right = toNumber(b);
    return new Double(operation === '+' ? left + right : left * right);
  }
  const left = BigInt(a as number | bigint);
  const right = BigInt(b as number | bigint);
  const result = operation === '+' ? left + right : left * right;
  if (result > INT64_MAX || result < INT64_MIN) return undefined;
  const small = Number(result);
  return typeof a === 'number' && typeof b === 'number' && small === (small | 0) ? small : result;
}

function isDecimal(value: Value): value is Decimal128 {
  return value instanceof Decimal128;
}

function isDouble(value: Value): value is Double {
  return isNumeric(value) && typeof value === 'object' && value._bsontype === 'Double';
}

function calculateDecimal(operation: Arithmetic, a: Value, b: Value): Value {
  const [left, right] = [decimalText(a), decimalText(b)];
  if (/[a-z]{3}/i.test(left + right)) {
    const [l, r] = [toNumber(a), toNumber(b)];
    return Decimal128.fromString(String(operation === '+' ? l + r : l * r));
  }
  const x = parseExact(left);
  const y = parseExact(right);
  const signed = (each: typeof x) => (each.negative ? -each.coefficient : each.coefficient);
  if (operation === '*') return rounded(signed(x) * signed(y), x.exponent + y.exponent);
  const exponent = Math.min(x.exponent, y.exponent);
  const scaled = (each: typeof x) => signed(each) * 10n ** BigInt(each.exponent - exponent);
  return rounded(scaled(x) + scaled(y), exponent);
}

function rounded(coefficient: bigint, exponent: number): Decimal128 {
  return Decimal128.fromStringWithRounding(`${coefficient}E${exponent}`);
}

/** The decimal text of a number; a double is rounded to 15 digits, as in MongoDB. */
function decimalText(value: Value): string {
  if (!isDouble(value)) return String(value as number | bigint | Decimal128);
  return Number.isFinite(value.value) ? value.value.toPrecision(15).replace('e', 'E') : String(value.value);
}
