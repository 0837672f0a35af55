import { compareValues, equalValues } from '../bson/compare.ts';
import type { Doc, Maybe, Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import type { FilterNode } from '../query/nodes.ts';
import type { SortField } from '../query/sort.ts';
import { boundsFor, type Conditions, conditionsOf, type IndexBounds, type KeyRange } from './bounds.ts';
import type { Collection } from './collection.ts';
import type { Index } from './indexes.ts';
import { encodeKey } from './key.ts';

/** How the candidates for a filter are found; each of them is still tested by the filter. */
export type Plan =
  | { stage: 'IDHACK'; id: Buffer }
  | { stage: 'COLLSCAN' }
  | { stage: 'IXSCAN'; index: Index; ranges: KeyRange[]; reverse: boolean; sorted: boolean }
  | { stage: 'OR'; plans: Plan[] }
  | { stage: 'EOF' };

/** An index that the client names by its name or key pattern; `natural` for `{$natural: 1}`. */
export type Hint = Index | 'natural' | undefined;

/** Parses a command's `hint`. @throws BadValue (2) for an index that does not exist */
export function parseHint(option: Maybe, collection: Collection | undefined): Hint {
  if (option === undefined || (option instanceof Map && option.size === 0)) return undefined;
  if (typeof option !== 'string' && !(option instanceof Map)) {
    fail('FailedToParse', 'Hint must be a string or an object');
  }
  if (option instanceof Map && equalValues(option, new Map([['$natural', 1]]))) return 'natural';
  if (!collection) return undefined;
  const index = collection.indexes.find((each) =>
    typeof option === 'string' ? each.name === option : equalValues(each.spec.get('key'), option),
  );
  if (!index) {
    fail(
      'BadValue',
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  }
  return index;
}

/** Chooses how to find the candidates for a filter, and whether that already returns them in the requested order. */
export function choosePlan(collection: Collection, filter: Filter, sort: SortField[], hint: Hint): Plan {
  if (hint === 'natural') return { stage: 'COLLSCAN' };
  const conditions = conditionsOf(filter.nodes);
  if (!hint && [...conditions.values()].some(matchesNothing)) return { stage: 'EOF' };
  if (!hint) {
    const id = idPoint(conditions);
    if (id) return { stage: 'IDHACK', id };
  }
  const candidates = hint ? [hint] : collection.indexes;
  let best: { plan: Plan; score: number } | undefined;
  for (const index of candidates) {
    if (!usable(index, conditions)) continue;
    const bounds = boundsFor(index, conditions);
    const order = orderOf(index, bounds, sort);
    const score = scoreOf(index, bounds, order !== undefined);
    if (score === 0 && !hint) continue;
    if (best && best.score >= score) continue;
    const { ranges } = bounds;
    best = {
      score,
      plan: { stage: 'IXSCAN', index, ranges, reverse: order === 'reverse', sorted: order !== undefined },
    };
  }
  if (best && (best.score > 1 || hint)) return best.plan;
  return orPlan(collection, filter, hint) ?? best?.plan ?? { stage: 'COLLSCAN' };
}

/** Whether conditions name no value at all, as `{$in: []}` does. */
function matchesNothing({ points }: Conditions): boolean {
  return points.some((list) => list.length === 0);
}

function idPoint(conditions: Map<string, Conditions>): Buffer | undefined {
  const points = conditions.get('_id')?.points;
  if (points?.length !== 1 || points[0]!.length !== 1) return undefined;
  return encodeKey(points[0]![0]!);
}

/** Whether an index contains all matches of a filter. */
function usable(index: Index, conditions: Map<string, Conditions>): boolean {
  if (index.partial && !index.partial.nodes.every((node) => implied(node, conditions))) return false;
  if (index.sparse && !index.fields.some(({ path }) => excludesMissing(conditions.get(path)))) return false;
  return true;
}

function excludesMissing(conditions: Conditions | undefined): boolean {
  if (!conditions) return false;
  return (
    conditions.exists ||
    conditions.comparisons.length > 0 ||
    conditions.together.length > 0 ||
    conditions.points.some((list) => list.length > 0 && !list.includes(null))
  );
}

/** Whether a filter's conditions imply a part of a partial index's filter. */
function implied(node: FilterNode, conditions: Map<string, Conditions>): boolean {
  if (node.kind === 'and') return node.nodes.every((each) => implied(each, conditions));
  if (node.kind === 'or') return node.nodes.some((each) => implied(each, conditions));
  if (node.kind === 'exists') return excludesMissing(conditions.get(node.path));
  if (node.kind !== 'compare' && node.kind !== 'in') return false;
  const found = conditions.get(node.path);
  if (!found) return false;
  const passes = (value: Value) => node.test(asDocument(node.path, value));
  if (found.points.some((list) => list.every((value) => !Array.isArray(value) && passes(value)))) return true;
  if (node.kind === 'in' || node.operator === '$eq') return false;
  const upward = node.operator.startsWith('$g');
  return found.comparisons.some(({ operator, value }) => {
    if (operator.startsWith('$g') !== upward || rankDiffers(value, node.value)) return false;
    const order = compareValues(value, node.value) * (upward ? 1 : -1);
    return order > 0 || (order === 0 && (node.operator.endsWith('e') || !operator.endsWith('e')));
  });
}

function rankDiffers(a: Value, b: Value): boolean {
  return encodeKey(a)[0] !== encodeKey(b)[0];
}

function asDocument(path: string, value: Value): Doc {
  return path.split('.').reduceRight<Value>((inner, part) => new Map([[part, inner]]), value) as Doc;
}

/** Whether reading the ranges of an index, one after the other, returns the requested order: 'forward', 'reverse' or not at all. */
function orderOf(index: Index, bounds: IndexBounds, sort: SortField[]): 'forward' | 'reverse' | undefined {
  if (sort.length === 0 || index.multikey) return undefined;
  let field = 0;
  let direction: 'forward' | 'reverse' | undefined;
  for (const { path, direction: wanted } of sort) {
    while (field < bounds.singles && index.fields[field]!.path !== path) field++;
    const indexed = index.fields[field];
    if (!indexed || indexed.path !== path) return undefined;
    field++;
    if (field <= bounds.singles) continue;
    const way = indexed.descending === wanted < 0 ? 'forward' : 'reverse';
    if (direction && direction !== way) return undefined;
    direction = way;
  }
  return direction ?? 'forward';
}

/** Higher is better; 0 means useless, 1 useful for the order only. */
function scoreOf(index: Index, bounds: IndexBounds, sorted: boolean): number {
  const bound = bounds.equalities * 10 + (bounds.ranged ? 6 : 0);
  if (bound === 0) return sorted ? 1 : 0;
  const complete = index.unique && bounds.equalities === index.fields.length;
  return bound + (complete ? 100 : 0) + (sorted ? 5 : 0) + (bounds.ranges.length === 1 ? 2 : 0) + 2;
}

/** A plan for a `$or` whose branches can all be answered from indexes. */
function orPlan(collection: Collection, filter: Filter, hint: Hint): Plan | undefined {
  if (hint) return undefined;
  const node = filter.nodes.find((each) => each.kind === 'or');
  if (node?.kind !== 'or') return undefined;
  const plans: Plan[] = [];
  for (const branch of node.nodes) {
    const nodes = [branch, ...filter.nodes.filter((each) => each !== node)];
    const plan = choosePlan(collection, { ...filter, nodes }, [], undefined);
    if (plan.stage === 'COLLSCAN' || plan.stage === 'OR') return undefined;
    plans.push(plan);
  }
  return { stage: 'OR', plans };
}

/** A filter that matches every document. */
export const EVERYTHING: Filter = parseFilter(new Map());
