import { BSONRegExp } from 'bson';
import { compareValues } from '../bson/compare.ts';
import { isNumeric, type Maybe, toNumber, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { anyAt, type MatchPosition, type Path, splitPath } from './path.ts';

/** One part of a filter, used by the matcher and the query planner. */
export type FilterNode =
  | { kind: 'and' | 'or' | 'nor'; nodes: FilterNode[]; test: NodeTest }
  | {
      kind: 'compare';
      path: string;
      operator: '$eq' | '$gt' | '$gte' | '$lt' | '$lte';
      value: Value;
      test: NodeTest;
    }
  | { kind: 'in'; path: string; values: Value[]; test: NodeTest }
  | { kind: 'exists'; path: string; test: NodeTest }
  | { kind: 'element'; path: string; nodes: FilterNode[]; test: NodeTest }
  | { kind: 'other'; test: NodeTest };

/** Tests a document or, within `$elemMatch` and array filters, an element under the empty path. */
export type NodeTest = (document: Maybe, position?: MatchPosition) => boolean;

/** A test that passes when the tests of all nodes pass. */
export function allOf(nodes: FilterNode[]): NodeTest {
  if (nodes.length === 1) return nodes[0]!.test;
  return (document, position) => {
    for (const node of nodes) if (!node.test(document, position)) return false;
    return true;
  };
}

/** Whether a value is a document of operators such as `{$gt: 1}`. A DBRef is not one. */
export function isOperatorDocument(value: Maybe): boolean {
  if (!(value instanceof Map) || value.size === 0) return false;
  const first = value.keys().next().value!;
  return first.startsWith('$') && !['$ref', '$id', '$db'].includes(first);
}

/** The parts of a field's path; the empty name (the element itself) has none. */
export function partsOf(name: string): Path {
  return name === '' ? [] : splitPath(name);
}

/** A condition that the query planner cannot use. */
export function testNode(name: string, leaves: boolean, test: (value: Maybe) => boolean): FilterNode {
  const path = partsOf(name);
  return { kind: 'other', test: (document, position) => anyAt(document, path, 0, leaves, test, position) };
}

/** The negation of some conditions. */
export function negate(nodes: FilterNode[]): FilterNode {
  const test = allOf(nodes);
  return { kind: 'other', test: (document) => !test(document) };
}

/** Compares a field with a value of the same type. */
export function compareNode(
  name: string,
  operator: '$eq' | '$gt' | '$gte' | '$lt' | '$lte',
  value: Value,
): FilterNode {
  const path = partsOf(name);
  const test = comparison(operator, value);
  return {
    kind: 'compare',
    path: name,
    operator,
    value,
    test: (document, position) => anyAt(document, path, 0, true, test, position),
  };
}

function comparison(operator: string, value: Value): (value: Maybe) => boolean {
  if (operator === '$eq') return equality(value);
  const { rank } = typeOf(value);
  const wantsNaN = isNumeric(value) && Number.isNaN(toNumber(value));
  return (candidate) => {
    if (candidate === undefined) return value === null && operator.endsWith('e');
    if (typeOf(candidate).rank !== rank) return false;
    if (rank === 10 && (wantsNaN || Number.isNaN(toNumber(candidate)))) {
      return operator.endsWith('e') && wantsNaN && Number.isNaN(toNumber(candidate));
    }
    const order = compareValues(candidate, value);
    if (operator === '$gt') return order > 0;
    if (operator === '$gte') return order >= 0;
    return operator === '$lt' ? order < 0 : order <= 0;
  };
}

function equality(value: Value): (value: Maybe) => boolean {
  if (value === null) return (candidate) => candidate === null || candidate === undefined;
  return (candidate) => candidate !== undefined && compareValues(candidate, value) === 0;
}

/** A condition that a field equals one of several values or matches one of several patterns. */
export function inNode(name: string, operand: Value, operator = '$in'): FilterNode {
  if (!Array.isArray(operand)) fail('BadValue', `${operator} needs an array`);
  if (operand.some(isOperatorDocument)) fail('BadValue', `cannot nest $ under ${operator}`);
  const tests = operand.map((value) => (value instanceof BSONRegExp ? patternTest(value) : equality(value)));
  const path = partsOf(name);
  const test = (value: Maybe) => tests.some((each) => each(value));
  const run: NodeTest = (document, position) => anyAt(document, path, 0, true, test, position);
  if (operand.some((value) => value instanceof BSONRegExp)) return { kind: 'other', test: run };
  return { kind: 'in', path: name, values: operand, test: run };
}

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
