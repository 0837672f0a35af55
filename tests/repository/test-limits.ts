/** Finds what makes a test depend on the speed of the machine: limits that do not grow with it, comparisons, sleeps. */
import { type ESTree, parseSync } from 'vite';

/** Why a piece of a test is found. */
export const faults = {
  literal: 'a limit in literal milliseconds: limitMs(…), or none where the default will do',
  fast: 'a time that must be short: check what it is about, or compare two measurements of one run',
  sleep: 'a sleep of a fixed time: wait for the event',
  waitFor: 'a wait of one second at most: { timeout: limitMs(…) }, or expect.poll',
} as const;

export interface Finding {
  line: number;
  fault: keyof typeof faults;
  /** The piece of the source. */
  text: string;
}

/** Names of options and constants that are limits: of a test, or of the product where a test sets them. */
const limitName = /^((\w+T|t)imeout(M[sS])?|(ready|lock|stall|deadline|wait|close)Ms)$/;
/** Settings that are limits; intervals and the pauses between attempts are none. */
const settingName = /^(?!\w*(INTERVAL|BACKOFF)_MS$)[A-Z]+_\w*(MS|SECONDS)$/;
/** Functions of vitest whose last argument may be a limit. */
const takesLimit = /^(test|it|describe|(before|after)(Each|All)|onTest(Finished|Failed))$/;

/**
 * @param file relative to the checkout; only tests/limits compares times with limits
 * @param source what it contains
 */
export function findTestLimits(file: string, source: string): Finding[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const names = readNames(program);
  const findings: Finding[] = [];
  const report = (fault: Finding['fault'], { start, end }: ESTree.Span) =>
    findings.push({
      fault,
      line: source.slice(0, start).split('\n').length,
      text: source.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 100),
    });
  const reportLiteral = (name: string | undefined, value: ESTree.Node, piece: ESTree.Span) => {
    if (name && limitName.test(name) && isNumber(value, names)) report('literal', piece);
  };
  /** What a reply must be is no limit. */
  const expected = new Set<ESTree.Node>();

  for (const node of partsOf(program)) {
    if (node.type === 'Property' && !expected.has(node)) {
      const name = nameOf(node.key);
      reportLiteral(name, node.value, node);
      if (name && settingName.test(name) && isNumber(node.value, names)) report('literal', node);
    }
    for (const { id, init } of constantsOf(node)) reportLiteral(nameOf(id), init, id);
    if (node.type === 'AssignmentPattern') reportLiteral(nameOf(node.left), node.right, node);
    if (node.type === 'NewExpression' && isFixed(sleepOf(node), names)) report('sleep', node);
    if (node.type !== 'CallExpression') continue;
    const called = calledName(node);
    const [first, second] = node.arguments;
    const last = node.arguments.at(-1);
    if (/\.to[A-Z]\w+$/.test(called)) {
      for (const part of node.arguments.flatMap((each) => [...partsOf(each)])) expected.add(part);
    }
    if (names.sleeps.has(called) && isFixed(first, names)) report('sleep', node);
    if (takesLimit.test(called) && node.arguments.some(isFunction) && isNumber(last!, names)) {
      report('literal', last!);
    }
    if (called === 'AbortSignal.timeout' && isNumber(first!, names)) report('literal', node);
    if (called === 'vi.waitFor' || called === 'vi.waitUntil') {
      if (!second || (second.type === 'ObjectExpression' && !hasTimeout(second))) report('waitFor', node);
      else if (isNumber(second, names)) report('literal', second);
    }
    if (isShortTime(node, names, file.startsWith('tests/limits/'))) report('fast', node);
  }
  return findings;
}

/** What the names of a file stand for. */
interface Names {
  /** Constants that are numbers, without intervals between two polls. */
  numbers: ReadonlySet<string>;
  /** Constants that are the time of a clock. */
  clocks: ReadonlySet<string>;
  /** Constants that are the time since another. */
  times: ReadonlySet<string>;
  /** Functions that sleep. */
  sleeps: ReadonlySet<string>;
}

function readNames(program: ESTree.Program): Names {
  const names = {
    numbers: new Set<string>(),
    clocks: new Set<string>(),
    times: new Set<string>(),
    sleeps: new Set<string>(),
  };
  for (const node of partsOf(program)) {
    for (const { id, init } of constantsOf(node)) {
      const name = nameOf(id)!;
      if (isNumber(init, names) && !/interval/i.test(name)) names.numbers.add(name);
      if (isClock(init, names)) names.clocks.add(name);
      if (isTimeSince(init, names)) names.times.add(name);
    }
    if (node.type !== 'ImportDeclaration' || node.source.value !== 'node:timers/promises') continue;
    for (const each of node.specifiers) {
      if (each.type === 'ImportSpecifier' && nameOf(each.imported) === 'setTimeout') {
        names.sleeps.add(each.local.name);
      }
    }
  }
  return names;
}

/** The constants with one name that a declaration declares. */
function constantsOf(node: ESTree.Node): { id: ESTree.BindingIdentifier; init: ESTree.Expression }[] {
  if (node.type !== 'VariableDeclaration' || node.kind !== 'const') return [];
  return node.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' && init ? [{ id, init }] : [],
  );
}

function nameOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

/** The name of the function that is called: `test` for `test.each(…)(…)`, `vi.waitFor` for a method of a named object. */
function calledName({ callee }: ESTree.CallExpression): string {
  let node: ESTree.Node = callee;
  let method = '';
  while (node.type === 'CallExpression' || node.type === 'MemberExpression') {
    if (node.type === 'CallExpression') node = node.callee;
    else {
      method = nameOf(node.property) ?? '';
      node = node.object;
    }
  }
  const root = nameOf(node) ?? '';
  if (takesLimit.test(root) && takesLimit.test(method)) return method;
  return method === '' || takesLimit.test(root) ? root : `${root}.${method}`;
}

/** A number that is written in the source, also as the text of a setting; 0 is no limit. */
function isNumber(node: ESTree.Node, names: Pick<Names, 'numbers'>): boolean {
  switch (node.type) {
    case 'Literal':
      return /^[1-9]\d*$/.test(String(node.value));
    case 'Identifier':
      return names.numbers.has(node.name);
    case 'BinaryExpression':
      return isNumber(node.left, names) && isNumber(node.right, names);
    case 'CallExpression':
      return nameOf(node.callee) === 'String' && isNumber(node.arguments[0]!, names);
    default:
      return false;
  }
}

const isFunction = ({ type }: ESTree.Node) =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression';

const hasTimeout = ({ properties }: ESTree.ObjectExpression) =>
  properties.some((each) => each.type === 'SpreadElement' || nameOf(each.key) === 'timeout');

/** How long `new Promise((resolve) => setTimeout(resolve, …))` sleeps. */
function sleepOf({ callee, arguments: [executor] }: ESTree.NewExpression): ESTree.Node | undefined {
  if (nameOf(callee) !== 'Promise' || executor?.type !== 'ArrowFunctionExpression') return undefined;
  const { body } = executor;
  const only = body?.type === 'BlockStatement' ? body.body[0] : body;
  const call = only?.type === 'ExpressionStatement' ? only.expression : only;
  if (call?.type !== 'CallExpression' || nameOf(call.callee) !== 'setTimeout') return undefined;
  return nameOf(call.arguments[0]!) === nameOf(executor.params[0]!) ? call.arguments[1] : undefined;
}

const isLimit = (node: ESTree.Node) => node.type === 'CallExpression' && nameOf(node.callee) === 'limitMs';

/** A time that neither chance nor the product decides. */
const isFixed = (node: ESTree.Node | undefined, names: Names) =>
  node !== undefined && (isNumber(node, names) || isLimit(node));

/** A node and all below it. */
function* partsOf(node: ESTree.Node): Generator<ESTree.Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const part of [value].flat()) {
      if (part !== null && typeof part === 'object' && 'type' in part) yield* partsOf(part);
    }
  }
}

const contains = (node: ESTree.Node, matches: (part: ESTree.Node) => boolean) => partsOf(node).some(matches);

const isClock = (node: ESTree.Node, names: Pick<Names, 'clocks'>) =>
  node.type === 'CallExpression'
    ? ['performance.now', 'Date.now'].includes(calledName(node))
    : node.type === 'Identifier' && names.clocks.has(node.name);

/** `performance.now() - began`, or something that is computed from it; not what is left of a time, which only shrinks. */
const isTimeSince = (node: ESTree.Node, names: Pick<Names, 'clocks'>) =>
  contains(
    node,
    (part) =>
      part.type === 'BinaryExpression' &&
      part.operator === '-' &&
      contains(part.left, (each) => isClock(each, names)),
  );

/** `expect(performance.now() - began).toBeLessThan(…)` with a number, or with a limit where none may be. */
function isShortTime(node: ESTree.CallExpression, names: Names, mayBeLimit: boolean): boolean {
  const { callee, arguments: given } = node;
  if (callee.type !== 'MemberExpression' || !/^toBeLessThan/.test(nameOf(callee.property) ?? ''))
    return false;
  const isTime = (part: ESTree.Node) =>
    isTimeSince(part, names) || (part.type === 'Identifier' && names.times.has(part.name));
  return (
    contains(callee.object, isTime) &&
    given.some((bound) => isNumber(bound, names) || (!mayBeLimit && contains(bound, isLimit)))
  );
}
