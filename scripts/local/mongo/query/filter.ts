import { BSONRegExp } from 'bson';
import { type Doc, isTruthy, toNumber, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { type Collation, SIMPLE } from './collation.ts';
import { expressionTest } from './expression.ts';
import {
  allOf,
  compareNode,
  type FilterContext,
  type FilterNode,
  inNode,
  isOperatorDocument,
  type NodeTest,
  negate,
  partsOf,
  testNode,
} from './nodes.ts';
import { operatorNode } from './operators.ts';
import { anyAt } from './path.ts';
import { patternTest } from './pattern.ts';

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
    case '$all':
      return allNode(name, argument, context);
    case '$elemMatch':
      return elementNode(name, argument, context);
    default:
      return operatorNode(name, operator, argument, siblings);
  }
}

function notNode(name: string, argument: Value, context: FilterContext): FilterNode {
  if (argument instanceof BSONRegExp) return negate([testNode(name, true, patternTest(argument))]);
  if (!(argument instanceof Map)) fail('BadValue', '$not needs a regex or a document');
  if (argument.size === 0) fail('BadValue', '$not cannot be empty');
  if (!isOperatorDocument(argument)) fail('BadValue', `unknown operator: ${argument.keys().next().value}`);
  return negate(fieldNodes(name, argument, context));
}

function allNode(name: string, argument: Value, context: FilterContext): FilterNode {
  if (!Array.isArray(argument)) fail('BadValue', '$all needs an array');
  if (argument.length === 0) return { kind: 'other', test: () => false };
  const nodes = argument.map((value): FilterNode => {
    if (value instanceof BSONRegExp) return testNode(name, true, patternTest(value));
    if (value instanceof Map && value.has('$elemMatch'))
      return elementNode(name, value.get('$elemMatch')!, context);
    if (isOperatorDocument(value)) return fail('BadValue', 'no $ expressions in $all');
    return compareNode(name, '$eq', value, context);
  });
  return { kind: 'and', nodes, test: allOf(nodes) };
}

function elementNode(name: string, argument: Value, context: FilterContext): FilterNode {
  if (!(argument instanceof Map)) fail('BadValue', '$elemMatch needs an Object');
  const first = argument.keys().next().value;
  const onValues = isOperatorDocument(argument) && !['$and', '$or', '$nor', '$expr'].includes(first!);
  const nodes = onValues ? fieldNodes('', argument, context) : parseNodes(argument, context);
  const matches = allOf(nodes);
  const path = partsOf(name);
  return {
    kind: 'element',
    path: onValues ? name : '',
    nodes,
    test: (document, position) =>
      anyAt(
        document,
        path,
        0,
        false,
        (value) => {
          if (!Array.isArray(value)) return false;
          const index = value.findIndex(
            (element) => (onValues || element instanceof Map || Array.isArray(element)) && matches(element),
          );
          if (index >= 0 && position) position.index = index;
          return index >= 0;
        },
        position,
      ),
  };
}
