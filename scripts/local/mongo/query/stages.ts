import { Aggregator } from 'mingo/aggregator';
import { Context } from 'mingo/core';
import { Lazy } from 'mingo/lazy';
import * as stageOperators from 'mingo/operators/pipeline';
import * as projections from 'mingo/operators/projection';
import * as queries from 'mingo/operators/query';
import * as windows from 'mingo/operators/window';
import type { Doc, Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { type Collation, SIMPLE } from './collation.ts';
import { accumulators, expressions } from './corrections.ts';
import { rethrow } from './expression.ts';
import { parseFilter } from './filter.ts';
import { fromPlain, fromPlainObject, toPlainObject } from './plain.ts';
import { parseProjection } from './projection.ts';
import { parseSort, sortItems } from './sort.ts';

type Plain = Record<string, unknown>;
/** The part of mingo's lazy sequence that is used here. */
interface Sequence {
  map(change: (item: Plain) => unknown): Sequence;
  filter(test: (item: Plain) => boolean): Sequence;
  transform(change: (items: Plain[]) => unknown): Sequence;
}

/** Options for running stages. */
export interface StageOptions {
  variables?: Record<string, unknown> | undefined;
  collation?: Collation;
  /** Finds documents of another collection, for `$lookup`. */
  find?: (collection: string, filter: Doc) => Doc[];
}

/**
 * Runs aggregation stages, in mingo's format, over plain documents. Some stages are replaced by implementations of
 * this server.
 */
export function runStages(input: Iterable<Plain>, stages: Plain[], options: StageOptions): Plain[] {
  const aggregator = new Aggregator(stages.flatMap(rewriteStage), {
    context: contextFor(options),
    variables: { ...options.variables, CLUSTER_TIME: null },
    // Required by $setWindowFields. Operators that run a client's JavaScript are rejected elsewhere.
    scriptEnabled: true,
    collectionResolver: (name: string) => options.find?.(name, new Map()).map(toPlainObject) ?? [],
  } as never);
  try {
    return aggregator.run(input);
  } catch (error) {
    return rethrow(error);
  }
}

function contextFor(options: StageOptions): Context {
  const collation = options.collation ?? SIMPLE;
  const context = (local: { variables?: Plain }) => ({
    collation,
    variables: { ...options.variables, ...local.variables },
  });
  const pipeline = {
    $match: (sequence: Sequence, filter: Plain, computing: { local?: { variables?: Plain } }) => {
      const parsed = parseFilter(fromPlainObject(filter), context(computing.local ?? {}));
      return sequence.filter((item) => parsed.matches(fromPlainObject(item)));
    },
    $sort: (sequence: Sequence, spec: Plain) => {
      const sort = parseSort(fromPlainObject(spec));
      if (sort.length === 0) fail(15976, '$sort stage must have at least one sort key');
      return sequence.transform((items) => {
        const documents = items.map((item) => ({ item, document: fromPlainObject(item) }));
        return Lazy(
          sortItems(documents, ({ document }) => document, sort, collation).map(({ item }) => item),
        );
      });
    },
    $project: (sequence: Sequence, spec: Plain, computing: { local?: { variables?: Plain } }) => {
      if (Object.keys(spec).length === 0) fail(51272, '$project specification must have at least one field');
      const projection = parseProjection(fromPlainObject(spec), context(computing.local ?? {}))!;
      return sequence.map((item) => toPlainObject(projection(fromPlainObject(item), { index: -1 })));
    },
    $group: (sequence: Sequence, spec: Plain, computing: never) => {
      checkGroup(spec);
      return stageOperators.$group(sequence as never, spec as never, computing);
    },
    $lookup: (sequence: Sequence, spec: Plain) => sequence.map((item) => lookup(item, spec, options)),
    $count: (sequence: Sequence, name: string) =>
      sequence.transform(({ length }) => Lazy(length > 0 ? [{ [name]: length }] : [])),
    $indexStats: () => fail('BadValue', '$indexStats is not supported by this server'),
    $search: () => fail(31082, '$search requires additional configuration'),
  };
  return Context.init({
    accumulator: accumulators,
    expression: expressions,
    pipeline: { ...stageOperators, ...pipeline },
    projection: projections,
    query: queries,
    window: windows,
  } as never);
}

function checkGroup(spec: Plain): void {
  if (!('_id' in spec)) fail(15955, 'a group specification must include an _id');
  for (const [field, operand] of Object.entries(spec)) {
    if (field === '_id') continue;
    const name = operand !== null && typeof operand === 'object' ? Object.keys(operand)[0] : undefined;
    if (!name?.startsWith('$')) fail(40234, `The field '${field}' must be an accumulator object`);
    if (!(name in accumulators)) fail(15952, `unknown group operator '${name}'`);
  }
}

/** Rewrites stages in terms of others: `$bucket` is a `$group` by the lower boundary. */
function rewriteStage(stage: Plain): Plain[] {
  const spec = stage.$bucket as
    | { groupBy: unknown; boundaries: unknown[]; default?: unknown; output?: Plain }
    | undefined;
  if (!spec) return [stage];
  const { groupBy, boundaries, output = { count: { $sum: 1 } } } = spec;
  const branches = boundaries.slice(0, -1).map((boundary, at) => ({
    case: { $and: [{ $gte: [groupBy, boundary] }, { $lt: [groupBy, boundaries[at + 1]] }] },
    // biome-ignore lint/suspicious/noThenProperty: the name that $switch gives it
    then: { $literal: boundary },
  }));
  const fallback = 'default' in spec ? { default: { $literal: spec.default } } : {};
  return [{ $group: { _id: { $switch: { branches, ...fallback } }, ...output } }, { $sort: { _id: 1 } }];
}

function lookup(item: Plain, spec: Plain, options: StageOptions): Plain {
  const { from, localField, foreignField, pipeline, as } = spec as {
    from?: string;
    localField?: string;
    foreignField?: string;
    pipeline?: Plain[];
    as: string;
  };
  let found: Plain[] = [];
  if (from !== undefined) {
    const filter: Doc = new Map();
    if (localField !== undefined && foreignField !== undefined) {
      filter.set(foreignField, new Map([['$in', localValues(item, localField.split('.'))]]));
    }
    found = (options.find?.(from, filter) ?? []).map(toPlainObject);
  }
  if (pipeline) {
    const variables: Plain = { ...options.variables };
    for (const [name, expression] of Object.entries((spec.let as Plain) ?? {})) {
      const [result] = runStages([item], [{ $replaceWith: { value: expression } }], options);
      variables[name] = result?.value;
    }
    found = runStages(found, pipeline, { ...options, variables });
  }
  return withField(item, as.split('.'), found);
}

function withField(item: Plain, [part, ...rest]: string[], value: unknown): Plain {
  if (rest.length === 0) return { ...item, [part!]: value };
  const inner = item[part!];
  return {
    ...item,
    [part!]: withField(inner !== null && typeof inner === 'object' ? (inner as Plain) : {}, rest, value),
  };
}

/** The values by which a document is joined: the elements of an array, null for a missing field. */
function localValues(value: unknown, path: string[]): Value[] {
  if (Array.isArray(value)) return value.flatMap((element) => localValues(element, path));
  if (path.length === 0) return [fromPlain(value) ?? null];
  const inner = value !== null && typeof value === 'object' ? (value as Plain)[path[0]!] : undefined;
  return localValues(inner, path.slice(1));
}
