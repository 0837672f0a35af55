import { BSONRegExp } from 'bson';
import {
  type Doc,
  isNumeric,
  isTruthy,
  type Maybe,
  TYPE_NUMBERS,
  toNumber,
  typeOf,
  type Value,
} from '../bson/values.ts';
import { fail } from '../errors.ts';
import { expressionTest } from './expression.ts';
import {
  allOf,
  compareNode,
  type FilterNode,
  inNode,
  isOperatorDocument,
  type NodeTest,
  negate,
  partsOf,
  patternTest,
  testNode,
} from './nodes.ts';
import { anyAt } from './path.ts';

/** A parsed filter. */
export interface Filter {
  nodes: FilterNode[];
  matches: NodeTest;
}

/** Parses a filter. @throws BadValue (2) and MongoDB's other errors for invalid or unknown operators */
export function parseFilter(filter: Doc): Filter {
  const nodes = parseNodes(filter);
  return { nodes, matches: allOf(nodes) };
}

/** Parses the conditions of a filter document. */
export function parseNodes(filter: Doc): FilterNode[] {
  const nodes: FilterNode[] = [];
  for (const [name, operand] of filter) {
    if (name.startsWith('$')) nodes.push(logicalNode(name, operand));
    else nodes.push(...fieldNodes(name, operand));
  }
  return nodes;
}

function logicalNode(name: string, operand: Value): FilterNode {
  switch (name) {
    case '$and':
    case '$or':
    case '$nor':
      return listNode(name, operand);
    case '$expr':
      return { kind: 'other', test: expressionTest(operand) };
    default:
      return fail('BadValue', `unknown top level operator: ${name}. This server does not know it.`);
  }
}

function listNode(name: '$and' | '$or' | '$nor', operand: Value): FilterNode {
  if (!Array.isArray(operand)) fail('BadValue', `${name} must be an array`);
  if (operand.length === 0) fail('BadValue', '$and/$or/$nor must be a nonempty array');
  const nodes = operand.map((part): FilterNode => {
    if (!(part instanceof Map)) return fail('BadValue', '$or/$and/$nor entries need to be full objects');
    const parts = parseNodes(part);
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
export function fieldNodes(name: string, operand: Value): FilterNode[] {
  if (operand instanceof BSONRegExp) return [testNode(name, true, patternTest(operand))];
  if (!(operand instanceof Map) || !isOperatorDocument(operand)) return [compareNode(name, '$eq', operand)];
  return [...operand].map(([operator, argument]) => fieldOperator(name, operator, argument));
}

function fieldOperator(name: string, operator: string, argument: Value): FilterNode {
  switch (operator) {
    case '$eq':
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (argument instanceof BSONRegExp && operator !== '$eq')
        fail('BadValue', `Can't have RegEx as arg to predicate over field '${name}'.`);
      return compareNode(name, operator, argument);
    case '$ne':
      if (argument instanceof BSONRegExp) fail('BadValue', "Can't have regex as arg to $ne.");
      return negate([compareNode(name, '$eq', argument)]);
    case '$in':
      return inNode(name, argument);
    case '$nin':
      return negate([inNode(name, argument, '$nin')]);
    case '$not':
      return notNode(name, argument);
    case '$exists': {
      const exists = testNode(name, false, (value) => value !== undefined);
      return isTruthy(argument) ? { kind: 'exists', path: name, test: exists.test } : negate([exists]);
    }
    case '$elemMatch':
      return elementNode(name, argument);
    case '$type':
      return testNode(name, true, typeTest(argument));
    default:
      return fail('BadValue', `unknown operator: ${operator}. This server does not know it.`);
  }
}

function notNode(name: string, argument: Value): FilterNode {
  if (argument instanceof BSONRegExp) return negate([testNode(name, true, patternTest(argument))]);
  if (!(argument instanceof Map)) fail('BadValue', '$not needs a regex or a document');
  if (argument.size === 0) fail('BadValue', '$not cannot be empty');
  if (!isOperatorDocument(argument)) fail('BadValue', `unknown operator: ${argument.keys().next().value}`);
  return negate(fieldNodes(name, argument));
}

function elementNode(name: string, argument: Value): FilterNode {
  if (!(argument instanceof Map)) fail('BadValue', '$elemMatch needs an Object');
  const onValues = isConditionOnValues(argument);
  const nodes = onValues ? fieldNodes('', argument) : parseNodes(argument);
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

/** Whether conditions of `$elemMatch` or `$pull` are on the elements themselves, and not on their fields. */
export function isConditionOnValues(conditions: Doc): boolean {
  const first = conditions.keys().next().value!;
  return isOperatorDocument(conditions) && !['$and', '$or', '$nor', '$expr'].includes(first);
}

function typeTest(argument: Value): (value: Maybe) => boolean {
  const wanted = Array.isArray(argument) ? argument : [argument];
  if (wanted.length === 0) fail('FailedToParse', '$type must match at least one type');
  const numbers = new Set<number>();
  for (const type of wanted) {
    if (typeof type === 'string') {
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
