import { type Doc, isNumeric, isTruthy, type Maybe, toNumber, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { compute } from './expression.ts';
import { fieldNodes, parseNodes } from './filter.ts';
import { allOf, type FilterContext, isOperatorDocument, type NodeTest } from './nodes.ts';
import type { MatchPosition } from './path.ts';

/** Creates the projected document. `position` is where the query matched, for the positional `.$`. */
export type Projection = (document: Doc, position: MatchPosition) => Doc;

type Leaf =
  | { kind: 'keep' }
  | { kind: 'drop' }
  | { kind: 'slice'; skip: number; limit: number }
  | { kind: 'element'; test: NodeTest }
  | { kind: 'positional' }
  | { kind: 'computed'; expression: Value };

type Tree = Map<string, Tree | Leaf>;

interface Parse {
  context: FilterContext;
  /** Whether the named fields are kept (true) or removed (false); unknown until a field decides it. */
  inclusive: boolean | undefined;
  positional: boolean;
}

/**
 * Parses a projection. @returns undefined when it keeps everything. @throws 31253, 31254 and others for mixed ones
 */
export function parseProjection(option: Maybe, context: FilterContext): Projection | undefined {
  if (option === undefined || option === null) return undefined;
  if (!(option instanceof Map))
    fail('TypeMismatch', "BSON field 'find.projection' is the wrong type, expected type 'object'");
  if (option.size === 0) return undefined;
  const parse: Parse = { context, inclusive: undefined, positional: false };
  const tree: Tree = new Map();
  let id: boolean | undefined;
  for (const [path, value] of option) {
    const plain = typeof value === 'boolean' || isNumeric(value);
    if (path === '_id' && plain) id = isTruthy(value);
    else addField(parse, tree, path, value);
  }
  const inclusive =
    parse.inclusive ??
    (id === true && tree.size === 0
      ? true
      : tree.size === 0
        ? false
        : onlySlices(tree) && id !== true
          ? false
          : (id ?? false));
  if (inclusive ? id !== false : id === false) tree.set('_id', { kind: inclusive ? 'keep' : 'drop' });
  return (document, position) => {
    const result = inclusive ? include(document, tree, position) : exclude(document, tree, position);
    addComputed(result, tree, document, context);
    return result;
  };
}

function onlySlices(tree: Tree): boolean {
  return [...tree.values()].every((each) => (each instanceof Map ? onlySlices(each) : each.kind === 'slice'));
}

function addField(parse: Parse, tree: Tree, path: string, value: Value): void {
  if (path === '') fail(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) fail(40353, "FieldPath must not end with a '.'.");
  if (path.startsWith('$'))
    fail(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
  if (path.endsWith('.$')) {
    if (parse.positional) fail(31276, 'Cannot specify more than one positional projection per query.');
    parse.positional = true;
    setMode(parse, true, path);
    placeLeaf(tree, path.slice(0, -2), { kind: 'positional' });
    return;
  }
  if (typeof value === 'boolean' || isNumeric(value)) {
    const keep = isTruthy(value);
    setMode(parse, keep, path);
    placeLeaf(tree, path, { kind: keep ? 'keep' : 'drop' });
    return;
  }
  if (value instanceof Map && value.size > 0 && !isOperatorDocument(value)) {
    for (const [name, inner] of value) addField(parse, tree, `${path}.${name}`, inner);
    return;
  }
  placeLeaf(tree, path, operatorLeaf(parse, path, value));
}

function setMode(parse: Parse, keep: boolean, path: string): void {
  parse.inclusive ??= keep;
  if (parse.inclusive === keep) return;
  if (keep) fail(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
  fail(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
}

function operatorLeaf(parse: Parse, path: string, value: Value): Leaf {
  if (value instanceof Map && value.has('$slice')) {
    const slice = value.get('$slice')!;
    const [skip, limit] = Array.isArray(slice) ? slice.map(toNumber) : [undefined, toNumber(slice)];
    if (limit === undefined || Number.isNaN(limit))
      fail(28724, 'First argument to $slice must be an array, but is of type: object');
    if (skip === undefined) return { kind: 'slice', skip: Math.min(limit, 0), limit: Math.abs(limit) };
    if (limit <= 0) fail(28724, `Third argument to $slice must be positive: ${limit}`);
    return { kind: 'slice', skip, limit };
  }
  setMode(parse, true, path);
  if (value instanceof Map && value.has('$elemMatch')) {
    const condition = value.get('$elemMatch')!;
    if (!(condition instanceof Map)) fail('BadValue', '$elemMatch needs an Object');
    if (path.includes('.')) fail(31275, 'Cannot use $elemMatch projection on a nested field.');
    const nodes = isOperatorDocument(condition)
      ? fieldNodes('', condition, parse.context)
      : parseNodes(condition, parse.context);
    return { kind: 'element', test: allOf(nodes) };
  }
  return { kind: 'computed', expression: value };
}

function placeLeaf(tree: Tree, path: string, leaf: Leaf): void {
  let node = tree;
  const parts = path.split('.');
  for (const [depth, part] of parts.entries()) {
    const existing = node.get(part);
    if (depth === parts.length - 1) {
      if (existing) fail(31250, `Path collision at ${path}`);
      node.set(part, leaf);
    } else if (existing && !(existing instanceof Map)) {
      fail(31249, `Path collision at ${path} remaining portion ${parts.slice(depth + 1).join('.')}`);
    } else {
      const next: Tree = existing ?? new Map();
      node.set(part, next);
      node = next;
    }
  }
}

function include(document: Doc, tree: Tree, position: MatchPosition): Doc {
  const result: Doc = new Map();
  for (const [name, value] of document) {
    const node = tree.get(name);
    if (!node) continue;
    const kept =
      node instanceof Map ? descend(value, node, true, position) : leafValue(node, value, position);
    if (kept !== undefined) result.set(name, kept);
  }
  return result;
}

function exclude(document: Doc, tree: Tree, position: MatchPosition): Doc {
  const result: Doc = new Map();
  for (const [name, value] of document) {
    const node = tree.get(name);
    const kept = !node
      ? value
      : node instanceof Map
        ? descend(value, node, false, position)
        : leafValue(node, value, position);
    if (kept !== undefined) result.set(name, kept);
  }
  return result;
}

function descend(value: Value, tree: Tree, inclusive: boolean, position: MatchPosition): Maybe {
  if (value instanceof Map)
    return inclusive ? include(value, tree, position) : exclude(value, tree, position);
  if (!Array.isArray(value)) return inclusive ? undefined : value;
  return value
    .map((element) => descend(element, tree, inclusive, position))
    .filter((element) => element !== undefined);
}

function leafValue(leaf: Leaf, value: Value, position: MatchPosition): Maybe {
  switch (leaf.kind) {
    case 'keep':
      return value;
    case 'slice': {
      if (!Array.isArray(value)) return value;
      const start = leaf.skip < 0 ? Math.max(0, value.length + leaf.skip) : leaf.skip;
      return value.slice(start, start + leaf.limit);
    }
    case 'element': {
      if (!Array.isArray(value)) return undefined;
      const found = value.find((element) => leaf.test(element));
      return found === undefined ? undefined : [found];
    }
    case 'positional': {
      if (!Array.isArray(value)) return value;
      if (position.index < 0 || position.index >= value.length) {
        fail(
          51246,
          "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
        );
      }
      return [value[position.index]!];
    }
    default:
      return undefined;
  }
}

function addComputed(result: Doc, tree: Tree, document: Doc, context: FilterContext): void {
  for (const [name, node] of tree) {
    if (node instanceof Map) {
      const inner = result.get(name);
      if (!hasComputed(node)) continue;
      const target: Doc = inner instanceof Map ? inner : new Map();
      addComputed(target, node, document, context);
      if (target.size > 0) result.set(name, target);
    } else if (node.kind === 'computed') {
      const value = compute(node.expression, document, context.variables);
      if (value !== undefined) result.set(name, value);
    }
  }
}

function hasComputed(tree: Tree): boolean {
  return [...tree.values()].some((node) =>
    node instanceof Map ? hasComputed(node) : node.kind === 'computed',
  );
}
