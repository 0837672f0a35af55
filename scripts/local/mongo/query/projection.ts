import { type Doc, isNumeric, isTruthy, type Maybe, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';

/** Creates the projected document. */
export type Projection = (document: Doc) => Doc;

/** The named fields and parts of fields. */
type Tree = Map<string, Tree | 'whole'>;

/**
 * Parses a projection that includes or excludes fields; this server has no other ones.
 * @returns undefined when it keeps everything @throws 31253 and 31254 for a mixed one, BadValue (2) for an expression
 */
export function parseProjection(option: Maybe): Projection | undefined {
  if (option === undefined || option === null) return undefined;
  if (!(option instanceof Map))
    fail('TypeMismatch', "BSON field 'find.projection' is the wrong type, expected type 'object'");
  if (option.size === 0) return undefined;
  const tree: Tree = new Map();
  let inclusive: boolean | undefined;
  let id: boolean | undefined;
  for (const [path, value] of option) {
    if (typeof value !== 'boolean' && !isNumeric(value))
      fail('BadValue', `this server has no projection other than including or excluding ${path}`);
    if (path === '') fail(40352, 'FieldPath cannot be constructed with empty string');
    if (path.split('.').some((part) => part === '' || part.startsWith('$')))
      fail(16410, `this server has no projection of ${path}`);
    const keep = isTruthy(value);
    if (path === '_id') {
      id = keep;
      continue;
    }
    inclusive ??= keep;
    if (keep && !inclusive) fail(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
    if (!keep && inclusive) fail(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
    addPath(tree, path);
  }
  const includes = inclusive ?? id === true;
  if (includes ? id !== false : id === false) tree.set('_id', 'whole');
  return (document) => project(document, tree, includes);
}

function addPath(tree: Tree, path: string): void {
  const parts = path.split('.');
  const last = parts.pop()!;
  let node = tree;
  for (const [depth, part] of parts.entries()) {
    const next = node.get(part) ?? new Map();
    if (next === 'whole')
      fail(
        31249,
        `Path collision at ${path} remaining portion ${[...parts, last].slice(depth + 1).join('.')}`,
      );
    node.set(part, next);
    node = next;
  }
  if (node.has(last)) fail(31250, `Path collision at ${path}`);
  node.set(last, 'whole');
}

function project(document: Doc, tree: Tree, inclusive: boolean): Doc {
  const result: Doc = new Map();
  for (const [name, value] of document) {
    const node = tree.get(name);
    if (node instanceof Map) {
      const kept = descend(value, node, inclusive);
      if (kept !== undefined) result.set(name, kept);
    } else if ((node === 'whole') === inclusive) {
      result.set(name, value);
    }
  }
  return result;
}

function descend(value: Value, tree: Tree, inclusive: boolean): Maybe {
  if (value instanceof Map) return project(value, tree, inclusive);
  if (!Array.isArray(value)) return inclusive ? undefined : value;
  return value.map((element) => descend(element, tree, inclusive)).filter((element) => element !== undefined);
}
