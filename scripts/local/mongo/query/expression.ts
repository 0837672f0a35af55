import { Context } from 'mingo';
import { evalExpr } from 'mingo/core';
import type { Maybe, Value } from '../bson/values.ts';
import { fail, MongoServerError } from '../errors.ts';
import { accumulators, expressions } from './corrections.ts';
import type { FilterContext, NodeTest } from './nodes.ts';
import { fromPlain, toPlain } from './plain.ts';

const operators = Context.init({
  accumulator: accumulators as never,
  expression: expressions as never,
});

/** Evaluates an aggregation expression, in mingo's format, for a plain document. */
export function computePlain(
  expression: unknown,
  document: unknown,
  variables?: Record<string, unknown>,
): unknown {
  try {
    return evalExpr(document, expression, { context: operators, variables, scriptEnabled: false } as never);
  } catch (error) {
    return rethrow(error);
  }
}

/** Evaluates an aggregation expression for a document; undefined when it has no value. */
export function compute(expression: Value, document: Maybe, variables?: Record<string, unknown>): Maybe {
  return fromPlain(computePlain(toPlain(expression), toPlain(document), variables));
}

/** The test of `$expr`. @throws 17276 for an undefined variable, 168 for an unknown operator */
export function expressionTest(operand: Value, context: FilterContext): NodeTest {
  const expression = toPlain(operand);
  checkExpression(expression, new Set(Object.keys(context.variables ?? {})));
  return (document) => {
    const result = computePlain(expression, toPlain(document), context.variables);
    return result !== false && result !== null && result !== undefined && result !== 0;
  };
}

/** Parses a command's `let`. */
export function parseVariables(option: Maybe): Record<string, unknown> | undefined {
  if (option === undefined || option === null) return undefined;
  if (!(option instanceof Map))
    fail('TypeMismatch', "BSON field 'let' is the wrong type, expected type 'object'");
  const variables: Record<string, unknown> = {};
  for (const [name, value] of option) variables[name] = computePlain(toPlain(value), {}, variables);
  return variables;
}

const SYSTEM_VARIABLES = [
  'ROOT',
  'CURRENT',
  'REMOVE',
  'NOW',
  'DESCEND',
  'PRUNE',
  'KEEP',
  'CLUSTER_TIME',
  'this',
  'value',
];

/** Rejects unknown operators and variables before any document is read. */
function checkExpression(expression: unknown, variables: ReadonlySet<string>): void {
  if (typeof expression === 'string') {
    const name = /^\$\$([^.]+)/.exec(expression)?.[1];
    if (name === undefined || SYSTEM_VARIABLES.includes(name) || variables.has(name)) return;
    fail(17276, `Use of undefined variable: ${name}`);
  }
  if (Array.isArray(expression)) for (const part of expression) checkExpression(part, variables);
  else if (expression !== null && typeof expression === 'object' && !('_bsontype' in expression)) {
    for (const [name, operand] of Object.entries(expression)) checkOperator(name, operand, variables);
  }
}

function checkOperator(name: string, operand: unknown, variables: ReadonlySet<string>): void {
  if (name === '$literal') return;
  if (name.startsWith('$') && !(name in expressions) && !(name in accumulators)) {
    fail(168, `Unrecognized expression '${name}'`);
  }
  const bound = new Set(variables);
  const { vars, as } = (operand ?? {}) as { vars?: object; as?: unknown };
  if (name === '$let') for (const variable of Object.keys(vars ?? {})) bound.add(variable);
  if (typeof as === 'string' && (name === '$map' || name === '$filter')) bound.add(as);
  checkExpression(operand, bound);
}

/** Converts an error of mingo to the corresponding MongoDB error, as far as it can be recognised, and throws it. */
export function rethrow(error: unknown): never {
  if (error instanceof MongoServerError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith('Use of undefined variable')) fail(17276, message);
  const unknown = /(?:operator|accumulator) '?(\$\w+)'?(?: is not registered)?/.exec(message);
  if (message.startsWith('unregistered pipeline operator')) {
    fail(40324, `Unrecognized pipeline stage name: '${unknown?.[1]}'`);
  }
  if (message.includes('is not registered')) fail(168, `Unrecognized expression '${unknown?.[1]}'`);
  return fail('BadValue', message);
}
