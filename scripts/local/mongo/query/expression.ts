import { Context } from 'mingo';
import { evalExpr } from 'mingo/core';
import * as mingoAccumulators from 'mingo/operators/accumulator';
import * as mingoExpressions from 'mingo/operators/expression';
import type { Value } from '../bson/values.ts';
import { fail, MongoServerError } from '../errors.ts';
import type { NodeTest } from './nodes.ts';
import { toPlain } from './plain.ts';

/** The expression operators of mingo that this server has: those that were checked against MongoDB. */
const EXPRESSIONS = [
  '$add',
  '$and',
  '$cond',
  '$eq',
  '$filter',
  '$gt',
  '$gte',
  '$ifNull',
  '$in',
  '$let',
  '$literal',
  '$lt',
  '$lte',
  '$map',
  '$mergeObjects',
  '$mod',
  '$multiply',
  '$ne',
  '$not',
  '$or',
  '$setUnion',
  '$size',
  '$subtract',
];
/** The accumulators of mingo that this server has. Expressions can use them too. */
const ACCUMULATORS = ['$first', '$max', '$min', '$sum'];

const pick = (from: object, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name))) as never;

/** The operators for mingo. */
export const operators = {
  accumulator: pick(mingoAccumulators, ACCUMULATORS),
  expression: pick(mingoExpressions, EXPRESSIONS),
};

const context = Context.init(operators);

/** The test of `$expr`. @throws 17276 for an undefined variable, 168 for an unknown operator */
export function expressionTest(operand: Value): NodeTest {
  const expression = toPlain(operand);
  checkExpression(expression, new Set(['ROOT', 'CURRENT', 'REMOVE', 'NOW']));
  return (document) => {
    const result = compute(expression, toPlain(document));
    return result !== false && result !== null && result !== undefined && result !== 0;
  };
}

function compute(expression: unknown, document: unknown): unknown {
  try {
    return evalExpr(document, expression, { context, scriptEnabled: false } as never);
  } catch (error) {
    return rethrow(error);
  }
}

/** Rejects unknown operators and variables before any document is read. */
function checkExpression(expression: unknown, variables: ReadonlySet<string>): void {
  if (typeof expression === 'string') {
    const name = /^\$\$([^.]+)/.exec(expression)?.[1];
    if (name !== undefined && !variables.has(name)) fail(17276, `Use of undefined variable: ${name}`);
  }
  if (Array.isArray(expression)) for (const part of expression) checkExpression(part, variables);
  else if (expression !== null && typeof expression === 'object' && !('_bsontype' in expression)) {
    for (const [name, operand] of Object.entries(expression)) checkOperator(name, operand, variables);
  }
}

function checkOperator(name: string, operand: unknown, variables: ReadonlySet<string>): void {
  if (name === '$literal') return;
  if (name.startsWith('$') && !EXPRESSIONS.includes(name) && !ACCUMULATORS.includes(name)) {
    unknownExpression(name);
  }
  const bound = new Set(variables);
  const { vars, as } = (operand ?? {}) as { vars?: object; as?: unknown };
  if (name === '$let') for (const variable of Object.keys(vars ?? {})) bound.add(variable);
  if (name === '$map' || name === '$filter') bound.add(typeof as === 'string' ? as : 'this');
  checkExpression(operand, bound);
}

function unknownExpression(name: string | undefined): never {
  return fail(168, `Unrecognized expression '${name}'. This server does not know it.`);
}

/** Converts an error of mingo to the corresponding MongoDB error, as far as it can be recognised, and throws it. */
export function rethrow(error: unknown): never {
  if (error instanceof MongoServerError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith('Use of undefined variable')) fail(17276, message);
  if (message.includes('is not registered')) {
    unknownExpression(/(?:operator|accumulator) '?(\$\w+)/.exec(message)?.[1]);
  }
  return fail('BadValue', message);
}
