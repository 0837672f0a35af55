import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import { type Doc, isNumeric, type Maybe, toNumber, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { compute } from '../query/expression.ts';
import { parseFilter } from '../query/filter.ts';
import type { FilterContext } from '../query/nodes.ts';
import { fromPlainObject, toPlainObject } from '../query/plain.ts';
import { type Projection, parseProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { runStages, type StageOptions } from '../query/stages.ts';
import type { Collection } from '../storage/collection.ts';
import type { Stored } from '../storage/documents.ts';
import { EVERYTHING, parseHint } from '../storage/plan.ts';
import { findDocuments, type Search } from '../storage/scan.ts';
import { showValue } from '../storage/show.ts';
import { type CommandContext, collectionName, filterContext, type ServerState } from './context.ts';
import { collectionStatistics } from './statistics.ts';

/** What a pipeline reads, and how. */
export interface PipelineInput {
  state: ServerState;
  database: string;
  /** undefined: no collection (`{aggregate: 1}`). */
  collection: string | undefined;
  hint?: Maybe;
  reading: FilterContext;
}

/** The input of an `aggregate` command. */
export function pipelineInput(context: CommandContext): PipelineInput {
  const { command, database, state } = context;
  const target = command.get('aggregate');
  if (typeof target !== 'string' && toNumber(target) !== 1) {
    fail(
      'FailedToParse',
      `Invalid command format: the 'aggregate' field must specify a collection name or 1, not ${typeOf(target).name}`,
    );
  }
  const collection = typeof target === 'string' ? collectionName(context) : undefined;
  return { state, database, collection, hint: command.get('hint'), reading: filterContext(context) };
}

/** A pipeline, split into a search, a projection directly after it, and the stages that mingo runs. */
export interface Pipeline {
  search: Search;
  projection: Doc | undefined;
  rest: Doc[];
}

/** Validates the structure of a pipeline. @throws TypeMismatch (14), 40323, 40601 */
export function readStages(pipeline: Maybe): Doc[] {
  if (!Array.isArray(pipeline)) fail('TypeMismatch', "'pipeline' option must be specified as an array");
  return pipeline.map((stage, at) => {
    if (!(stage instanceof Map))
      fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
    if (stage.size !== 1)
      fail(40323, 'A pipeline stage specification object must contain exactly one field.');
    for (const name of ['$out', '$merge']) {
      if (stage.has(name) && at < pipeline.length - 1)
        fail(40601, `${name} can only be the final stage in the pipeline`);
    }
    return stage;
  });
}

/** Splits a pipeline without output stages. Leading stages become a search, which can use indexes. */
export function splitPipeline(stages: Doc[], input: PipelineInput): Pipeline {
  const rest = [...stages];
  const { state, database, collection, reading } = input;
  const target = collection === undefined ? undefined : state.catalog.find(database, collection);
  const everything = { ...EVERYTHING, collation: reading.collation };
  const search: Search = {
    filter: everything,
    sort: [],
    hint: parseHint(input.hint, target),
    skip: 0,
    limit: 0,
  };
  absorb(rest, search, reading);
  const projection = rest[0]?.get('$project');
  if (!(projection instanceof Map) || projection.size === 0) return { search, projection: undefined, rest };
  rest.shift();
  return { search, projection, rest };
}

/** Moves leading `$match`, `$sort`, `$skip` and `$limit` stages into the search. */
function absorb(stages: Doc[], search: Search, reading: FilterContext): void {
  const [first, second] = stages;
  // A sort and a match that follows it can be swapped.
  if (first?.has('$sort') && second?.has('$match')) stages.splice(0, 2, second, first);
  if (stages[0]?.has('$match')) {
    const match = stages.shift()!.get('$match');
    if (!(match instanceof Map)) fail(15959, 'the match filter must be an expression in an object');
    search.filter = parseFilter(match, reading);
  }
  if (stages[0]?.has('$sort')) {
    search.sort = parseSort(stages.shift()!.get('$sort'));
    if (search.sort.length === 0) fail(15976, '$sort stage must have at least one sort key');
  }
  if (stages[0]?.has('$skip')) search.skip = stageNumber(stages.shift()!, '$skip');
  if (stages[0]?.has('$limit')) search.limit = stageNumber(stages.shift()!, '$limit');
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

/** Runs a pipeline without output stages. Yields the encoded results one by one. */
export function* runPipeline(stages: Doc[], input: PipelineInput): Generator<Buffer> {
  const view = viewOf(input);
  if (view) {
    yield* runPipeline([...view.pipeline, ...stages], { ...input, collection: view.on });
    return;
  }
  const own = sourceOf(stages, input);
  if (own) {
    yield* runOnPlain(own.documents.map(toPlainObject), own.stages, input);
    return;
  }
  const { projection, rest, search } = splitPipeline(stages, input);
  const found = input.state.catalog.find(input.database, input.collection!);
  const documents = found ? findDocuments(found, search) : [];
  const project = projection && parseProjection(projection, input.reading);
  const counted = rest.length === 1 && !project ? countedField(rest[0]!) : undefined;
  if (counted) {
    let count = 0;
    for (const _ of documents) count++;
    if (count > 0) yield encode({ _id: counted.id, [counted.field]: count });
    return;
  }
  if (rest.length > 0) {
    yield* runOnPlain(plainDocuments(documents, project), rest, input);
    return;
  }
  for (const { document, bytes } of documents)
    yield project ? encode(project(document, { index: -1 })) : bytes;
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

function* plainDocuments(
  documents: Iterable<Stored>,
  project: Projection | undefined,
): Generator<Record<string, unknown>> {
  for (const { document } of documents)
    yield toPlainObject(project ? project(document, { index: -1 }) : document);
}

function* runOnPlain(
  plain: Iterable<Record<string, unknown>>,
  stages: Doc[],
  input: PipelineInput,
): Generator<Buffer> {
  const results = runStages(plain, stages.map(toPlainObject), stageOptions(input));
  for (const result of results) yield encode(fromPlainObject(result));
}

function viewOf({ state, database, collection }: PipelineInput): Collection['view'] {
  return collection === undefined ? undefined : state.catalog.find(database, collection)?.view;
}

/** The documents that the first stage generates; undefined when they come from a collection. */
function sourceOf(stages: Doc[], input: PipelineInput): { documents: Doc[]; stages: Doc[] } | undefined {
  const { state, database, collection } = input;
  const [first, ...rest] = stages;
  if (collection !== undefined) {
    if (first?.has('$documents'))
      fail('InvalidNamespace', "'$documents' can only be run with {aggregate: 1}");
    if (!first?.has('$collStats')) return undefined;
    const statistics = collectionStatistics(first.get('$collStats'), state, database, collection);
    return { documents: [statistics], stages: rest };
  }
  if (first?.has('$documents')) {
    const documents = compute(first.get('$documents')!, new Map(), input.reading.variables);
    if (!Array.isArray(documents)) fail(5858203, 'an array is expected for $documents');
    return { documents: documents as Doc[], stages: rest };
  }
  if (first?.has('$listLocalSessions') || first?.has('$currentOp')) {
    const sessions = [...state.sessions.values()].map(
      ({ id, usedAt }): Doc =>
        new Map<string, Value>([
          ['_id', new Map([['id', id]])],
          ['lastUse', usedAt],
        ]),
    );
    return { documents: sessions, stages: rest };
  }
  return fail(
    'InvalidNamespace',
    "{aggregate: 1} is not valid for a pipeline that does not start with a stage such as '$documents'",
  );
}

function stageOptions(input: PipelineInput): StageOptions {
  const { state, database, reading } = input;
  return {
    variables: reading.variables,
    collation: reading.collation,
    find: (name, filter) => {
      const foreign = state.catalog.find(database, name);
      if (!foreign) return [];
      if (foreign.view) {
        const stages: Doc[] = [new Map([['$match', filter]])];
        return [...runPipeline(stages, { state, database, collection: name, reading })].map((bytes) =>
          decode(bytes),
        );
      }
      const search = { filter: parseFilter(filter, reading), sort: [], hint: undefined, skip: 0, limit: 0 };
      return [...findDocuments(foreign, search)].map((stored) => stored.document);
    },
  };
}
