import { BSONRegExp } from 'bson';
import type { Maybe } from '../bson/values.ts';
import { fail } from '../errors.ts';

/**
 * A test for values: strings by the pattern, patterns by equality. MongoDB's patterns are those of PCRE; what JavaScript
 * reads in another way is rejected.
 * @throws 51108 for options other than i, m and s, 51091 for a pattern that cannot be compiled
 */
export function patternTest(regex: BSONRegExp): (value: Maybe) => boolean {
  const expression = compile(regex);
  return (value) => {
    if (typeof value === 'string') return expression.test(value);
    return value instanceof BSONRegExp && value.pattern === regex.pattern && value.options === regex.options;
  };
}

function compile({ pattern, options }: BSONRegExp): RegExp {
  for (const option of options) {
    if (!'imsu'.includes(option)) fail(51108, `invalid flag in regex options: ${option}`);
  }
  try {
    // The flag u rejects escapes that JavaScript does not have, such as \A.
    return new RegExp(pattern, `${options.replace('u', '')}u`);
  } catch (error) {
    return fail(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}
