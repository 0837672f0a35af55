import { isNumeric, toNumber, type Value } from '../bson/values.ts';
import type { FilterNode } from '../query/nodes.ts';
import type { Index, IndexField } from './indexes.ts';
import { AFTER_PREFIX, encodeKey, rankOf } from './key.ts';

/** Keys from `low` (inclusive) to `high` (exclusive). */
export interface KeyRange {
  low: Buffer;
  high: Buffer;
}

/** What a filter requires at one path. */
export interface Conditions {
  /** Lists of values; the field must equal one value of each list. */
  points: Value[][];
  comparisons: { operator: '$gt' | '$gte' | '$lt' | '$lte'; value: Value }[];
  /** Comparisons that a single array element must pass together ($elemMatch). */
  together: { operator: '$gt' | '$gte' | '$lt' | '$lte'; value: Value }[];
  exists: boolean;
}

/** With more ranges than this, the index is not used. */
const MAX_RANGES = 20_000;

/** Collects the conditions that every match fulfils, by path. */
export function conditionsOf(
  nodes: FilterNode[],
  into = new Map<string, Conditions>(),
): Map<string, Conditions> {
  for (const node of nodes) {
    if (node.kind === 'and') conditionsOf(node.nodes, into);
    else if (node.kind === 'compare' && node.operator === '$eq')
      at(into, node.path).points.push([node.value]);
    else if (node.kind === 'in') at(into, node.path).points.push(node.values);
    else if (node.kind === 'exists') at(into, node.path).exists = true;
    else if (node.kind === 'compare')
      addComparison(at(into, node.path).comparisons, node.operator, node.value);
    else if (node.kind === 'element' && node.path !== '') addElement(at(into, node.path), node.nodes);
  }
  return into;
}

function at(conditions: Map<string, Conditions>, path: string): Conditions {
  let found = conditions.get(path);
  if (!found) {
    found = { points: [], comparisons: [], together: [], exists: false };
    conditions.set(path, found);
  }
  return found;
}

function addElement(conditions: Conditions, nodes: FilterNode[]): void {
  // Another element may pass those of a second one, so only the first one limits the range.
  if (conditions.together.length > 0) return;
  for (const node of nodes) {
    // The index contains an element that is itself an array only as a whole, so nested arrays cannot cause false
    // matches.
    if (node.kind === 'compare' && node.operator !== '$eq') {
      addComparison(conditions.together, node.operator, node.value);
    }
  }
}

function addComparison(
  list: Conditions['comparisons'],
  operator: '$eq' | '$gt' | '$gte' | '$lt' | '$lte',
  value: Value,
): void {
  const rank = rankOf(value);
  // Null also matches missing fields, and NaN equals only itself: left to the matcher.
  if (rank === 5 || operator === '$eq') return;
  if (isNumeric(value) && Number.isNaN(toNumber(value))) return;
  list.push({ operator, value });
}

/** How an index can be used for a filter. */
export interface IndexBounds {
  ranges: KeyRange[];
  /** How many leading fields are restricted to certain values, and how many of those to a single value. */
  equalities: number;
  singles: number;
  /** Whether the next field is restricted by comparisons. */
  ranged: boolean;
}

/** The key ranges of an index that contain all matches of the conditions. */
export function boundsFor(index: Index, conditions: Map<string, Conditions>): IndexBounds {
  let prefixes: Buffer[] = [Buffer.alloc(0)];
  let equalities = 0;
  let singles = 0;
  for (const field of index.fields) {
    const points = pointsFor(index, field, conditions.get(field.path));
    if (!points || points.length * prefixes.length > MAX_RANGES) break;
    if (points.length === 1 && singles === equalities) singles++;
    equalities++;
    const keys = sortedKeys(points.map((value) => encodeKey(value, field.descending)));
    prefixes = prefixes.flatMap((prefix) => keys.map((key) => Buffer.concat([prefix, key])));
  }
  const next = index.fields[equalities];
  const range = next && rangeFor(index, next, conditions.get(next.path));
  const ranges = prefixes.map((prefix) => ({
    low: range ? Buffer.concat([prefix, range.low]) : prefix,
    high: Buffer.concat([prefix, range ? range.high : AFTER_PREFIX]),
  }));
  return { ranges, equalities, singles, ranged: range !== undefined };
}

function sortedKeys(keys: Buffer[]): Buffer[] {
  if (keys.length < 2) return keys;
  return keys.toSorted(Buffer.compare).filter((key, at, all) => at === 0 || !key.equals(all[at - 1]!));
}

/** The shortest list of values that a field must equal one of, as in its keys; undefined when there is none. */
function pointsFor(index: Index, field: IndexField, conditions: Conditions | undefined): Value[] | undefined {
  if (!conditions || conditions.points.length === 0) return undefined;
  const list = conditions.points.reduce((best, each) => (each.length < best.length ? each : best));
  if (list.length > MAX_RANGES) return undefined;
  // Null also matches where the path does not exist, and below arrays the index may have no entry for that.
  if (list.includes(null) && (index.sparse || (index.multikey && field.parts.length > 1))) return undefined;
  const values = new Set(list);
  for (const value of list) {
    if (!Array.isArray(value)) continue;
    // A field that equals an array is found under the array's first element, or as an element of an outer array.
    if (value.length === 0) return undefined;
    values.add(value[0]!);
  }
  return [...values];
}

function rangeFor(index: Index, field: IndexField, conditions: Conditions | undefined): KeyRange | undefined {
  if (!conditions) return undefined;
  let chosen = conditions.together.length > 0 ? conditions.together : conditions.comparisons;
  // Different array elements may pass the comparisons, so only one comparison can limit a multikey index.
  if (index.multikey && chosen === conditions.comparisons) chosen = chosen.slice(0, 1);
  if (chosen.length === 0) return undefined;
  const rank = rankOf(chosen[0]!.value);
  // An array is compared both as a whole and by its elements, which one range cannot express.
  if (rank === 25 || chosen.some(({ value }) => rankOf(value) !== rank)) return undefined;
  let low: Buffer = Buffer.from([field.descending ? rank ^ 0xff : rank]);
  let high: Buffer = Buffer.from([low[0]! + 1]);
  for (const { operator, value } of chosen) {
    const key = encodeKey(value, field.descending);
    const past = Buffer.concat([key, AFTER_PREFIX]);
    const upward = operator.startsWith('$g') !== field.descending;
    const inclusive = operator.endsWith('e');
    if (upward) low = largerKey(low, inclusive ? key : past);
    else high = smallerKey(high, inclusive ? past : key);
  }
  return Buffer.compare(low, high) > 0 ? { low, high: low } : { low, high };
}

function largerKey(a: Buffer, b: Buffer): Buffer {
  return Buffer.compare(a, b) > 0 ? a : b;
}

function smallerKey(a: Buffer, b: Buffer): Buffer {
  return Buffer.compare(a, b) < 0 ? a : b;
}
