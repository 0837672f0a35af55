import { ObjectId } from 'bson';
import { equalValues } from '../bson/compare.ts';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import { type Doc, showValue, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import type { FilterNode } from '../query/nodes.ts';
import { isIndex } from '../query/path.ts';
import { changeValue, showId } from './operators.ts';
import { type Change, findConflict, runUpdatePipeline, type Update } from './parse.ts';
import { checkStorable, checkViable, copyDocument, copyValue, getAt, removeAt, setAt } from './target.ts';

/**
 * Applies an update to a document and returns the result; the document itself is not changed.
 * @param matched index of the array element that the query matched, for `$`; -1 for none
 * @throws ImmutableField (66) when `_id` would change, and the operators' own errors
 */
export function applyUpdate(document: Doc, update: Update, matched: number): Doc {
  const id = document.get('_id');
  const result = transform(document, update, matched, false);
  const newId = result.get('_id');
  if (newId !== undefined && !equalValues(newId, id)) idChanged(update, newId);
  return withIdFirst(result, id!);
}

function idChanged(update: Update, id: Value): never {
  return update.kind === 'modify'
    ? idIsImmutable()
    : fail(
        'ImmutableField',
        `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${showValue(id)}`,
      );
}

function idIsImmutable(): never {
  return fail(
    'ImmutableField',
    "Performing an update on the path '_id' would modify the immutable field '_id'",
  );
}

/** The document that an upsert inserts when nothing matches. */
export function makeUpserted(nodes: FilterNode[], update: Update): Doc {
  const start: Doc = new Map();
  const id = equalityOf(nodes, '_id');
  if (update.kind === 'replace') {
    if (id !== undefined) start.set('_id', id);
  } else {
    addEqualities(nodes, start);
  }
  const result = transform(start, update, -1, true);
  const before = start.get('_id');
  const after = result.get('_id');
  if (before !== undefined && after !== undefined && !equalValues(before, after)) idChanged(update, after);
  const upserted = withIdFirst(result, after ?? before ?? new ObjectId());
  checkStorable(upserted);
  return upserted;
}

function transform(document: Doc, update: Update, matched: number, insert: boolean): Doc {
  if (update.kind === 'replace') return copyDocument(update.replacement);
  if (update.kind === 'pipeline') return runUpdatePipeline(document, update.pipeline);
  const result = copyDocument(document);
  const base = { id: showId(document), insert };
  const changes = update.changes.filter(({ operator }) => insert || operator !== '$setOnInsert');
  for (const { change, parts } of placeChanges(changes, matched)) {
    if (change.operator === '$rename') rename(result, change, parts);
    else changeAt(result, parts, change, base);
  }
  return result;
}

/**
 * Replaces `$` in the paths, for `$rename` in the new ones, by the index that the query matched.
 * @returns the changes in the order of their paths, in which they are applied and new fields are added
 * @throws BadValue (2) when no element was matched, and ConflictingUpdateOperators (40)
 */
function placeChanges(changes: Change[], matched: number): { change: Change; parts: string[] }[] {
  const placed = changes.map((change) => {
    const { operator, parts, argument } = change;
    const target = operator === '$rename' ? (argument as string).split('.') : parts;
    if (matched < 0 && target.includes('$'))
      fail('BadValue', 'The positional operator did not find the match needed from the query.');
    return { change, parts: target.map((part) => (part === '$' ? String(matched) : part)) };
  });
  const conflict = findConflict(placed.map(({ parts }) => parts));
  if (conflict) fail('ConflictingUpdateOperators', `Update created a conflict at '${conflict.at}'`);
  return placed.sort((a, b) => comparePaths(a.parts, b.parts));
}

/** Numbers are ordered by value, names alphabetically. */
function comparePaths(a: string[], b: string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [left, right] = [a[at]!, b[at]!];
    if (left === right) continue;
    if (isIndex(left) && isIndex(right)) return Number(left) - Number(right);
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}

function changeAt(
  document: Doc,
  parts: string[],
  change: Change,
  context: Parameters<typeof changeValue>[2],
): void {
  const current = getAt(document, parts);
  if (change.operator === '$unset') {
    if (current !== undefined) removeAt(document, parts);
    return;
  }
  // `$pull` has nothing to do where a path cannot exist.
  if (current === undefined && change.operator !== '$pull') checkViable(document, parts);
  const value = changeValue(change, current, context);
  if (value === undefined || value === current) return;
  if (parts.length === 1 && parts[0] === '_id' && !context.insert && !equalValues(value, current)) {
    idIsImmutable();
  }
  setAt(document, parts, copyValue(value));
}

function rename(document: Doc, { path, parts, argument }: Change, targetParts: string[]): void {
  for (const [role, each] of [
    ['source', parts],
    ['destination', targetParts],
  ] as const) {
    for (let length = 1; length < each.length; length++) {
      if (!Array.isArray(getAt(document, each.slice(0, length)))) continue;
      fail(
        'BadValue',
        `The ${role} field cannot be an array element, '${each.join('.')}' in doc with _id: ${showId(document)} has an array field called '${each[length - 1]}'`,
      );
    }
  }
  const value = getAt(document, parts);
  if (value === undefined) return;
  if (path === '_id' || argument === '_id') idIsImmutable();
  checkViable(document, targetParts);
  removeAt(document, parts);
  setAt(document, targetParts, value);
}

/** The document with `_id` as its first field. */
export function withIdFirst(document: Doc, id: Value): Doc {
  if (document.keys().next().value === '_id') return document;
  const ordered: Doc = new Map([['_id', document.get('_id') ?? id]]);
  for (const [name, value] of document) if (name !== '_id') ordered.set(name, value);
  return ordered;
}

function equalityOf(nodes: FilterNode[], path: string): Value | undefined {
  for (const node of nodes) {
    if (node.kind === 'compare' && node.operator === '$eq' && node.path === path) return node.value;
    if (node.kind === 'and' || (node.kind === 'or' && node.nodes.length === 1)) {
      const value = equalityOf(node.nodes, path);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function addEqualities(nodes: FilterNode[], into: Doc): void {
  const seen = new Set<string>();
  const add = (list: FilterNode[]) => {
    for (const node of list) {
      if (node.kind === 'and' || (node.kind === 'or' && node.nodes.length === 1)) add(node.nodes);
      const single =
        node.kind === 'compare' && node.operator === '$eq'
          ? node.value
          : node.kind === 'in' && node.values.length === 1
            ? node.values[0]
            : undefined;
      if (single === undefined || (node.kind !== 'compare' && node.kind !== 'in')) continue;
      if (seen.has(node.path))
        fail(54, `cannot infer query fields to set, path '${node.path}' is matched twice`);
      seen.add(node.path);
      setAt(into, node.path.split('.'), copyValue(single));
    }
  };
  add(nodes);
}

/** Encodes a document, and decodes it again so that computed values have their stored types. */
export function store(document: Doc): { document: Doc; bytes: Buffer } {
  const bytes = encode(document);
  return { bytes, document: decode(bytes) };
}
