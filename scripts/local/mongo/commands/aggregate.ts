import { encode } from '../bson/encode.ts';
import { type Doc, isNumeric, showValue, toNumber, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { parseFilter } from '../query/filter.ts';
import { fromPlainObject, toPlainObject } from '../query/plain.ts';
import { parseSort } from '../query/sort.ts';
import { readStages, runStages, UNION } from '../query/stages.ts';
import type { Collection, Stored } from '../storage/collection.ts';
import { EVERYTHING, parseHint } from '../storage/plan.ts';
import { findDocuments, type Search } from '../storage/scan.ts';
import {
  type Command,
  type CommandContext,
  collectionName,
  documentField,
  findCollection,
  numberIn,
  type Reply,
} from './context.ts';

function aggregate(context: CommandContext): Reply {
  const { command, state } = context;
  const name = collectionName(context);
  if (!command.has('cursor')) {
    fail('FailedToParse', "The 'cursor' option is required, except for aggregate with the explain argument");
  }
  const parts = splitPipeline(context);
  const batchSize = documentField(command, 'cursor', 'aggregate').get('batchSize');
  const size = batchSize === undefined ? undefined : numberIn(batchSize, 'cursor.batchSize');
  return {
    cursor: state.cursors.start(`${context.database}.${name}`, runParts(parts), { batchSize: size }),
  };
}

/** What a pipeline does with one collection: a search, which can use indexes, and the stages after it. */
interface Part {
  collection: Collection | undefined;
  search: Search;
  rest: Doc[];
}

/** Splits the pipeline of a command into its own part and those of the collections that are added at its end. */
export function splitPipeline(context: CommandContext): [own: Part, ...added: Part[]] {
  const stages = readStages(context.command.get('pipeline'));
  const own = stages.findIndex((stage) => stage.has(UNION));
  const added = own < 0 ? [] : stages.splice(own);
  const collection = findCollection(context);
  return [
    partOf(collection, stages, parseHint(context.command.get('hint'), collection)),
    ...added.map((stage) => addedPart(context, stage)),
  ];
}

function addedPart({ state, database }: CommandContext, stage: Doc): Part {
  const union = stage.get(UNION);
  const name = union instanceof Map ? union.get('coll') : undefined;
  if (!(union instanceof Map) || typeof name !== 'string') {
    fail(40324, `This server knows ${UNION} with a collection, as the last stages of a pipeline.`);
  }
  const collection = state.catalog.find(database, name);
  return partOf(collection, readStages(union.get('pipeline') ?? []), parseHint(undefined, collection));
}

function partOf(collection: Collection | undefined, stages: Doc[], hint: Search['hint']): Part {
  const search: Search = { filter: EVERYTHING, sort: [], hint, skip: 0, limit: 0 };
  if (stages[0]?.has('$match')) {
    const match = stages.shift()!.get('$match');
    if (!(match instanceof Map)) fail(15959, 'the match filter must be an expression in an object');
    search.filter = parseFilter(match);
  }
  if (stages[0]?.has('$sort')) {
    search.sort = parseSort(stages.shift()!.get('$sort'));
    if (search.sort.length === 0) fail(15976, '$sort stage must have at least one sort key');
  }
  if (stages[0]?.has('$skip')) search.skip = stageNumber(stages.shift()!, '$skip');
  if (stages[0]?.has('$limit')) search.limit = stageNumber(stages.shift()!, '$limit');
  return { collection, search, rest: stages };
}

function stageNumber(stage: Doc, name: '$skip' | '$limit'): number {
  const value = stage.get(name);
  const number = isNumeric(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number)) {
    fail(5107201, `invalid argument to ${name} stage: Expected a number in: ${name}: ${showValue(value)}`);
  }
  if (name === '$limit' && number === 0) fail(15958, 'the limit must be positive');
  if (number < 0)
    fail(5107201, `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${number}`);
  return number;
}

function* runParts(parts: readonly Part[]): Generator<Buffer> {
  for (const { collection, search, rest } of parts) {
    yield* runPipeline(collection ? findDocuments(collection, search) : [], rest);
  }
}

/** Runs stages over documents. Yields the encoded results one by one. */
function* runPipeline(found: Iterable<Stored>, stages: Doc[]): Generator<Buffer> {
  const counted = stages.length === 1 ? countedField(stages[0]!) : undefined;
  if (counted) {
    let count = 0;
    for (const _ of found) count++;
    if (count > 0) yield encode({ _id: counted.id, [counted.field]: count });
  } else if (stages.length > 0) {
    for (const result of runStages(plainDocuments(found), stages)) yield encode(fromPlainObject(result));
  } else {
    for (const { bytes } of found) yield bytes;
  }
}

/**
 * Recognises the stage with which drivers count, `{$group: {_id: 1, n: {$sum: 1}}}`; it does not need the documents.
 */
function countedField(stage: Doc): { id: Value; field: string } | undefined {
  const group = stage.get('$group');
  if (!(group instanceof Map) || group.size !== 2) return undefined;
  const [[first, id], [field, sum]] = [...group] as [[string, Value], [string, Value]];
  if (first !== '_id' || (typeof id !== 'number' && id !== null)) return undefined;
  return sum instanceof Map && sum.size === 1 && sum.get('$sum') === 1 ? { id, field } : undefined;
}

function* plainDocuments(found: Iterable<Stored>): Generator<Record<string, unknown>> {
  for (const { document } of found) yield toPlainObject(document);
}

/** The `aggregate` command. */
export const aggregateCommands: Record<string, Command> = {
  aggregate: { run: aggregate, fields: ['pipeline', 'cursor', 'hint'] },
};
