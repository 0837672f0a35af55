import { BSONRegExp } from 'bson';
import { compareValues } from '../bson/compare.ts';
import { type Doc, isNumeric, isTruthy, type Maybe, toNumber, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { type Collation, SIMPLE } from './collation.ts';
import { expressionTest } from './expression.ts';
import { operatorNode } from './operators.ts';
import { anyAt, type MatchPosition, type Path, splitPath } from './path.ts';
import { patternTest } from './pattern.ts';

/** The context in which a filter is parsed. */
export interface FilterContext {
  collation: Collation;
  /** The variables of the command's `let`, for `$expr`. */
  variables?: Record<string, unknown> | undefined;
}

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

/** A parsed filter. */
export interface Filter {
  nodes: FilterNode[];
  matches: NodeTest;
  collation: Collation;
}

/** Parses a filter. @throws BadValue (2) and MongoDB's other errors for invalid operators */
export function parseFilter(filter: Doc, context: FilterContext = { collation: SIMPLE }): Filter {
  const nodes = parseNodes(filter, context);
  return { nodes, matches: allOf(nodes), collation: context.collation };
}

/** A test that passes when the tests of all nodes pass. */
export function allOf(nodes: FilterNode[]): NodeTest {
  if (nodes.length === 1) return nodes[0]!.test;
  return (document, position) => {
    for (const node of nodes) if (!node.test(document, position)) return false;
    return true;
  };
}

/** Parses the conditions of a filter document. */
export function parseNodes(filter: Doc, context: FilterContext): FilterNode[] {
  const nodes: FilterNode[] = [];
  for (const [name, operand] of filter) {
    if (name.startsWith('$')) {
      const node = logicalNode(name, operand, context);
      if (node) nodes.push(node);
    } else {
      nodes.push(...fieldNodes(name, operand, context));
    }
  }
  return nodes;
}

function logicalNode(name: string, operand: Value, context: FilterContext): FilterNode | undefined {
  switch (name) {
    case '$and':
    case '$or':
    case '$nor':
      return listNode(name, operand, context);
    case '$expr':
      return { kind: 'other', test: expressionTest(operand, context) };
    case '$comment':
      return undefined;
    case '$alwaysTrue':
    case '$alwaysFalse':
      return { kind: 'other', test: () => name === '$alwaysTrue' };
    case '$sampleRate': {
      const rate = toNumber(operand);
      return { kind: 'other', test: () => Math.random() < rate };
    }
    case '$text':
      return fail('IndexNotFound', 'text index required for $text query');
    case '$where':
    case '$jsonSchema':
      return fail('QueryFeatureNotAllowed', `${name} is not supported by this server`);
    default:
      return fail(
        'BadValue',
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function listNode(name: '$and' | '$or' | '$nor', operand: Value, context: FilterContext): FilterNode {
  if (!Array.isArray(operand)) fail('BadValue', `${name} must be an array`);
  if (operand.length === 0) fail('BadValue', '$and/$or/$nor must be a nonempty array');
  const nodes = operand.map((part): FilterNode => {
    if (!(part instanceof Map)) return fail('BadValue', '$or/$and/$nor entries need to be full objects');
    const parts = parseNodes(part, context);
    return parts.length === 1 ? parts[0]! : { kind: 'and', nodes: parts, test: allOf(parts) };
  });
  const any: NodeTest = (document, position) => {
    for (const node of nodes) if (node.test(document, position)) return true;
    return false;
  };
  if (name === '$and') return { kind: 'and', nodes, test: allOf(nodes) };
  if (name === '$or') return { kind: 'or', nodes, test: any };
  return { kind: 'nor', nodes, test: (document) => !any(document) };
}

/** Whether a value is a document of operators such as `{$gt: 1}`. A DBRef is not one. */
export function isOperatorDocument(value: Maybe): boolean {
  if (!(value instanceof Map) || value.size === 0) return false;
  const first = value.keys().next().value!;
  return first.startsWith('$') && !['$ref', '$id', '$db'].includes(first);
}

/** The conditions on one field; the empty name stands for the element itself. */
export function fieldNodes(name: string, operand: Value, context: FilterContext): FilterNode[] {
  if (operand instanceof BSONRegExp) return [testNode(name, true, patternTest(operand))];
  if (!(operand instanceof Map) || !isOperatorDocument(operand))
    return [compareNode(name, '$eq', operand, context)];
  const nodes: FilterNode[] = [];
  for (const [operator, argument] of operand) {
    if (!operator.startsWith('$')) fail('BadValue', `unknown operator: ${operator}`);
    const node = fieldOperator(name, operator, argument, operand, context);
    if (node) nodes.push(node);
  }
  return nodes;
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
function negate(nodes: FilterNode[]): FilterNode {
  const test = allOf(nodes);
  return { kind: 'other', test: (document) => !test(document) };
}

/** Compares a field with a value of the same type. */
export function compareNode(
  name: string,
  operator: '$eq' | '$gt' | '$gte' | '$lt' | '$lte',
  value: Value,
  context: FilterContext,
): FilterNode {
  const path = partsOf(name);
  const test = comparison(operator, value, context.collation);
  return {
    kind: 'compare',
    path: name,
    operator,
    value,
    test: (document, position) => anyAt(document, path, 0, true, test, position),
  };
}

function comparison(operator: string, value: Value, collation: Collation): (value: Maybe) => boolean {
  const { rank } = typeOf(value);
  if (operator === '$eq') return equality(value, collation);
  const strings = collation.compare;
  const wantsNaN = isNumeric(value) && Number.isNaN(toNumber(value));
  const anyType = rank === 1 || rank === 126;
  return (candidate) => {
    if (candidate === undefined) return value === null && operator.endsWith('e');
    if (typeOf(candidate).rank !== rank && !anyType) return false;
    if (rank === 10 && (wantsNaN || Number.isNaN(toNumber(candidate)))) {
      return operator.endsWith('e') && wantsNaN && Number.isNaN(toNumber(candidate));
    }
    const order = compareValues(candidate, value, strings);
    if (operator === '$gt') return order > 0;
    if (operator === '$gte') return order >= 0;
    return operator === '$lt' ? order < 0 : order <= 0;
  };
}

function equality(value: Value, collation: Collation): (value: Maybe) => boolean {
  if (value === null) return (candidate) => candidate === null || candidate === undefined;
  if (typeof value === 'string' && collation === SIMPLE) {
    return (candidate) =>
      candidate === value || (typeof candidate === 'object' && compareValues(candidate, value) === 0);
  }
  return (candidate) => candidate !== undefined && compareValues(candidate, value, collation.compare) === 0;
}

/** A condition that a field equals one of several values or matches one of several patterns. */
function inNode(name: string, operand: Value, context: FilterContext, operator = '$in'): FilterNode {
  if (!Array.isArray(operand)) fail('BadValue', `${operator} needs an array`);
  if (operand.some(isOperatorDocument)) fail('BadValue', `cannot nest $ under ${operator}`);
  const tests = operand.map((value) =>
    value instanceof BSONRegExp ? patternTest(value) : equality(value, context.collation),
  );
  const path = partsOf(name);
  const test = (value: Maybe) => tests.some((each) => each(value));
  const run: NodeTest = (document, position) => anyAt(document, path, 0, true, test, position);
  if (operand.some((value) => value instanceof BSONRegExp)) return { kind: 'other', test: run };
  return { kind: 'in', path: name, values: operand, test: run };
}

function fieldOperator(
  name: string,
  operator: string,
  argument: Value,
  siblings: Doc,
  context: FilterContext,
): FilterNode | undefined {
  switch (operator) {
    case '$eq':
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (argument instanceof BSONRegExp && operator !== '$eq')
        fail('BadValue', `Can't have RegEx as arg to predicate over field '${name}'.`);
      return compareNode(name, operator, argument, context);
    case '$ne':
      if (argument instanceof BSONRegExp) fail('BadValue', "Can't have regex as arg to $ne.");
      return negate([compareNode(name, '$eq', argument, context)]);
    case '$in':
      return inNode(name, argument, context);
    case '$nin':
      return negate([inNode(name, argument, context, '$nin')]);
    case '$not':
      return notNode(name, argument, context);
    case '$exists': {
      const exists = testNode(name, false, (value) => value !== undefined);
      return isTruthy(argument) ? { kind: 'exists', path: name, test: exists.test } : negate([exists]);
    }
    default:
      return operatorNode(name, operator, argument, siblings, context);
  }
}

function notNode(name: string, argument: Value, context: FilterContext): FilterNode {
  if (argument instanceof BSONRegExp) return negate([testNode(name, true, patternTest(argument))]);
  if (!(argument instanceof Map)) fail('BadValue', '$not needs a regex or a document');
  if (argument.size === 0) fail('BadValue', '$not cannot be empty');
  if (!isOperatorDocument(argument)) fail('BadValue', `unknown operator: ${argument.keys().next().value}`);
  return negate(fieldNodes(name, argument, context));
}
