import { BSONRegExp } from 'bson';
import { textOf } from '../bson/compare.ts';
import { type Maybe, typeOf } from '../bson/values.ts';
import { fail } from '../errors.ts';

const compiled = new Map<string, RegExp>();

/**
 * Converts a MongoDB (PCRE) regular expression to JavaScript. Supports the options i, m, s, x and u, and a leading
 * `(?i)`.
 * @throws 51108 for other options, 51091 for a pattern that cannot be compiled
 */
function compilePattern(regex: BSONRegExp): RegExp {
  const id = `${regex.options}/${regex.pattern}`;
  let result = compiled.get(id);
  if (!result) {
    result = translate(regex.pattern, regex.options);
    if (compiled.size > 1000) compiled.clear();
    compiled.set(id, result);
  }
  return result;
}

function translate(pattern: string, options: string): RegExp {
  const flags = new Set<string>();
  for (const option of options) {
    if (!'imsxu'.includes(option)) fail(51108, `invalid flag in regex options: ${option}`);
    flags.add(option);
  }
  let source = pattern;
  const inline = /^\(\?([imsx]+)\)/.exec(source);
  if (inline) {
    source = source.slice(inline[0].length);
    for (const option of inline[1]!) flags.add(option);
  }
  if (flags.delete('x')) source = withoutComments(source);
  source = source
    .replaceAll('\\A', '^')
    .replaceAll(/\\[zZ]/g, '$')
    .replaceAll(/\(\?P</g, '(?<');
  flags.delete('u');
  const jsFlags = [...flags].join('');
  try {
    return new RegExp(source, `${jsFlags}u`);
  } catch {
    try {
      return new RegExp(source, jsFlags);
    } catch (error) {
      return fail(51091, `Regular expression is invalid: ${(error as Error).message}`);
    }
  }
}

/** Removes what the option x ignores: whitespace and comments outside of character classes. */
function withoutComments(source: string): string {
  return source.replaceAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\s+|#.*/g, (part) =>
    /^[\s#]/.test(part) ? '' : part,
  );
}

/** A test for values: strings and symbols by the pattern, regular expressions by equality. */
export function patternTest(regex: BSONRegExp): (value: Maybe) => boolean {
  const expression = compilePattern(regex);
  return (value) => {
    if (typeof value === 'string') return expression.test(value);
    if (value instanceof BSONRegExp)
      return value.pattern === regex.pattern && value.options === regex.options;
    return typeOf(value).name === 'symbol' && expression.test(textOf(value));
  };
}
