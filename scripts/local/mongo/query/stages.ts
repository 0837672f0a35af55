import { Aggregator } from 'mingo/aggregator';
import { Context } from 'mingo/core';
import { Lazy } from 'mingo/lazy';
import * as stageOperators from 'mingo/operators/pipeline';
import type { Doc, Maybe } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { operators, rethrow } from './expression.ts';
import { parseFilter } from './filter.ts';
import { fromPlainObject, toPlainObject } from './plain.ts';
import { parseSort, sortItems } from './sort.ts';

type Plain = Record<string, unknown>;
/** The part of mingo's lazy sequence that is used here. */
interface Sequence {
  filter(test: (item: Plain) => boolean): Sequence;
  transform(change: (items: Plain[]) => unknown): Sequence;
}

const { $limit, $set, $skip, $unset } = stageOperators;

/** The stages that this server has. Those that filter and sort are its own. */
const STAGES = {
  $group: (sequence: never, spec: Plain, computing: never) => {
    checkGroup(spec);
    return stageOperators.$group(sequence, spec as never, computing);
  },
  $limit,
  $match: (sequence: Sequence, filter: Plain) => {
    const parsed = parseFilter(fromPlainObject(filter));
    return sequence.filter((item) => parsed.matches(fromPlainObject(item)));
  },
  $set,
  $skip,
  $sort: (sequence: Sequence, spec: Plain) => {
    const sort = parseSort(fromPlainObject(spec));
    if (sort.length === 0) fail(15976, '$sort stage must have at least one sort key');
    return sequence.transform((items) => {
      const documents = items.map((item) => ({ item, document: fromPlainObject(item) }));
      return Lazy(sortItems(documents, ({ document }) => document, sort).map(({ item }) => item));
    });
  },
  $unset,
};

const context = Context.init({ ...operators, pipeline: STAGES as never });

/** Adds the results of a pipeline on another collection. It is not run here, which knows one collection. */
export const UNION = '$unionWith';

/** Validates the structure of a pipeline. @throws TypeMismatch (14), 40323, 40324 for a stage that it does not know */
export function readStages(pipeline: Maybe): Doc[] {
  if (!Array.isArray(pipeline)) fail('TypeMismatch', "'pipeline' option must be specified as an array");
  return pipeline.map((stage) => {
    if (!(stage instanceof Map))
      fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
    if (stage.size !== 1)
      fail(40323, 'A pipeline stage specification object must contain exactly one field.');
    const [name] = stage.keys() as unknown as [string];
    if (name !== UNION && !Object.hasOwn(STAGES, name))
      fail(40324, `Unrecognized pipeline stage name: '${name}'. This server does not know it.`);
    return stage;
  });
}

/** Runs aggregation stages over plain documents, in mingo's format. */
export function runStages(input: Iterable<Plain>, stages: Doc[]): Plain[] {
  try {
    const aggregator = new Aggregator(stages.map(toPlainObject), { context, scriptEnabled: false } as never);
    return aggregator.run(input);
  } catch (error) {
    return rethrow(error);
  }
}

function checkGroup(spec: Plain): void {
  if (!('_id' in spec)) fail(15955, 'a group specification must include an _id');
  for (const [field, operand] of Object.entries(spec)) {
    if (field === '_id') continue;
    const name = operand !== null && typeof operand === 'object' ? Object.keys(operand)[0] : undefined;
    if (!name?.startsWith('$')) fail(40234, `The field '${field}' must be an accumulator object`);
    if (!(name in operators.accumulator)) fail(15952, `unknown group operator '${name}'`);
  }
}
