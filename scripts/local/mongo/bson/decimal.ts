/** A finite number as sign, integer coefficient and power of ten. */
export interface ExactDecimal {
  negative: boolean;
  coefficient: bigint;
  exponent: number;
}

/** Parses the text of a finite decimal128 or integer, such as `-1.50E+3`, without rounding. */
export function parseExact(text: string): ExactDecimal {
  const [, sign, whole, fraction = '', exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:E([+-]?\d+))?$/i.exec(
    text,
  )!;
  return {
    negative: sign === '-',
    coefficient: BigInt(`${whole}${fraction}` || '0'),
    exponent: Number(exponent) - fraction.length,
  };
}

/** Compares a finite decimal with a double exactly: below 0, 0 or above 0. */
export function compareDecimalToDouble(decimal: ExactDecimal, double: number): number {
  if (!Number.isFinite(double)) return double > 0 ? -1 : 1;
  const { mantissa, power } = splitDouble(double);
  let left = decimal.negative ? -decimal.coefficient : decimal.coefficient;
  let right = mantissa;
  if (decimal.exponent >= 0) left *= 10n ** BigInt(decimal.exponent);
  else right *= 10n ** BigInt(-decimal.exponent);
  if (power >= 0) right *= 2n ** BigInt(power);
  else left *= 2n ** BigInt(-power);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Compares two finite decimals exactly. */
export function compareDecimals(a: ExactDecimal, b: ExactDecimal): number {
  const exponent = Math.min(a.exponent, b.exponent);
  const left = (a.negative ? -a.coefficient : a.coefficient) * 10n ** BigInt(a.exponent - exponent);
  const right = (b.negative ? -b.coefficient : b.coefficient) * 10n ** BigInt(b.exponent - exponent);
  return left < right ? -1 : left > right ? 1 : 0;
}

const scratch = new DataView(new ArrayBuffer(8));

/** A finite double as exactly `mantissa * 2 ** power`. */
function splitDouble(double: number): { mantissa: bigint; power: number } {
  scratch.setFloat64(0, double);
  const bits = scratch.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: bits >> 63n ? -mantissa : mantissa, power: (biased || 1) - 1075 };
}

/** The next smaller double. */
export function nextDown(double: number): number {
  if (double === 0) return -Number.MIN_VALUE;
  if (double === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  scratch.setFloat64(0, double);
  const bits = scratch.getBigInt64(0);
  scratch.setBigInt64(0, double > 0 ? bits - 1n : bits + 1n);
  return scratch.getFloat64(0);
}
