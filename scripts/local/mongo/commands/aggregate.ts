import { encode } from '../bson/encode.ts';
import { type Doc, type Maybe, toNumber, typeOf, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { compute } from '../query/expression.ts';
import { type FilterContext, parseFilter } from '../query/filter.ts';
import { fromPlainObject, toPlain, toPlainObject } from '../query/plain.ts';
import { parseProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { runStages, type StageOptions } from '../query/stages.ts';
import type { Catalog } from '../storage/catalog.ts';
import { EVERYTHING, parseHint } from '../storage/plan.ts';
import { findDocuments, type Search } from '../storage/scan.ts';
import {
  type Command,
  type CommandContext,
  collectionName,
  documentField,
  filterContext,
  numberIn,
  type Reply,
} from './context.ts';
import { writeMerged, writeOut } from './output.ts';

/** A pipeline split in what a search does, what mingo does, and where the results go. */
export interface Pipeline {
  search: Search;
  /** A projection right after the search. */
  projection: Doc | undefined;
  rest: Doc[];
  output: { name: '$out' | '$merge'; spec: Value } | undefined;
}

/** Reads a pipeline. @throws FailedToParse (9), 40323 and others for stages that MongoDB would refuse. */
export function parsePipeline(context: CommandContext, reading: FilterContext): Pipeline {
  const stages = stagesOf(context.command.get('pipeline'));
  const last = stages.at(-1);
  const outputName = last && (['$out', '$merge'] as const).find((name) => last.has(name));
  const output = outputName && { name: outputName, spec: last!.get(outputName)! };
  const rest = output ? stages.slice(0, -1) : [...stages];
  for (const stage of rest) {
    for (const name of ['$out', '$merge']) {
      if (stage.has(name)) fail(40601, `${name} can only be the final stage in the pipeline`);
    }
  }
  const named = typeof context.command.get(context.name) === 'string';
  const collection = named
    ? context.state.catalog.find(context.database, collectionName(context))
    : undefined;
  const search: Search = {
    filter: EVERYTHING,
    sort: [],
    hint: parseHint(context.command.get('hint'), collection),
    skip: 0,
    limit: 0,
  };
  absorb(rest, search, reading);
  const projection = rest[0]?.get('$project');
  if (projection instanceof Map && projection.size > 0) rest.shift();
  return {
    search,
    projection: projection instanceof Map && projection.size > 0 ? projection : undefined,
    rest,
    output,
  };
}

function stagesOf(pipeline: Maybe): Doc[] {
  if (!Array.isArray(pipeline)) fail('TypeMismatch', "'pipeline' option must be specified as an array");
  return pipeline.map((stage) => {
    if (!(stage instanceof Map))
      fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
    if (stage.size !== 1)
      fail(40323, 'A pipeline stage specification object must contain exactly one field.');
    return stage;
  });
}

/** Takes leading `$match`, `$sort`, `$skip` and `$limit` stages into the search, which can use indexes for them. */
function absorb(stages: Doc[], search: Search, reading: FilterContext): void {
  const match = stages[0]?.get('$match');
  if (stages[0]?.has('$match')) {
    if (!(match instanceof Map)) fail(15959, 'the match filter must be an expression in an object');
    search.filter = parseFilter(match, reading);
    stages.shift();
  } else {
    search.filter = { ...EVERYTHING, collation: reading.collation };
  }
  if (stages[0]?.has('$sort')) {
    search.sort = parseSort(stages[0].get('$sort'));
    if (search.sort.length === 0) fail(15976, '$sort stage must have at least one sort key');
    stages.shift();
  }
  if (stages[0]?.has('$skip')) search.skip = stageNumber(stages.shift()!, '$skip', 0);
  if (stages[0]?.has('$limit')) search.limit = stageNumber(stages.shift()!, '$limit', 1);
}

function stageNumber(stage: Doc, name: string, least: number): number {
  const value = toNumber(stage.get(name));
  if (!Number.isInteger(value))
    fail(
      5107201,
      `invalid argument to ${name} stage: Expected a number in: ${name}: ${String(toPlain(stage.get(name)))}`,
    );
  if (value < least) {
    if (name === '$limit' && value === 0) fail(15958, 'the limit must be positive');
    fail(5107201, `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${value}`);
  }
  return value;
}

function stageOptions(catalog: Catalog, database: string, reading: FilterContext): StageOptions {
  return {
    variables: reading.variables,
    collation: reading.collation,
    find: (name, filter) => {
      const foreign = catalog.find(database, name);
      if (!foreign) return [];
      const search = { filter: parseFilter(filter, reading), sort: [], hint: undefined, skip: 0, limit: 0 };
      return [...findDocuments(foreign, search)].map((stored) => stored.document);
    },
  };
}

/** The results of a pipeline, encoded, one by one. */
function* resultsOf(context: CommandContext, pipeline: Pipeline, reading: FilterContext): Generator<Buffer> {
  const { rest } = pipeline;
  const projection = pipeline.projection && parseProjection(pipeline.projection, reading);
  const source = sourceOf(context, pipeline);
  if (rest.length === 0) {
    for (const { document, bytes } of source) {
      yield projection ? encode(projection(document, { index: -1 })) : (bytes ?? encode(document));
    }
    return;
  }
  const plain = (function* () {
    for (const { document } of source) {
      yield toPlainObject(projection ? projection(document, { index: -1 }) : document);
    }
  })();
  const stages = rest.map((stage) => toPlainObject(stage));
  const results = runStages(plain, stages, stageOptions(context.state.catalog, context.database, reading));
  for (const result of results) yield encode(fromPlainObject(result));
}

interface Source {
  document: Doc;
  bytes?: Buffer;
}

function sourceOf(context: CommandContext, { search, rest }: Pipeline): Iterable<Source> {
  if (typeof context.command.get(context.name) === 'string') {
    if (rest[0]?.has('$documents'))
      fail('InvalidNamespace', "'$documents' can only be run with {aggregate: 1}");
    const collection = context.state.catalog.find(context.database, collectionName(context));
    if (rest[0]?.has('$collStats')) {
      rest.shift();
      const counted: Doc = new Map<string, Value>([
        ['ns', `${context.database}.${collectionName(context)}`],
        ['count', collection?.count ?? 0],
      ]);
      return [{ document: counted }];
    }
    return collection ? findDocuments(collection, search) : [];
  }
  const first = rest[0];
  if (first?.has('$documents')) {
    rest.shift();
    const documents = compute(first.get('$documents')!, new Map());
    if (!Array.isArray(documents)) fail(5858203, 'an array is expected for $documents');
    return documents.map((document) => ({ document: document as Doc }));
  }
  if (first?.has('$listLocalSessions') || first?.has('$currentOp')) {
    rest.shift();
    return [...context.state.sessions.values()].map(({ id, usedAt }) => ({
      document: new Map<string, Value>([
        ['_id', new Map([['id', id]])],
        ['lastUse', usedAt],
      ]),
    }));
  }
  return fail(
    'InvalidNamespace',
    "{aggregate: 1} is not valid for this pipeline: it must start with a stage such as '$documents'",
  );
}

function aggregate(context: CommandContext): Reply {
  const { command, state } = context;
  if (!command.has('cursor') && !command.has('explain')) {
    fail('FailedToParse', "The 'cursor' option is required, except for aggregate with the explain argument");
  }
  const target = command.get('aggregate');
  const named = typeof target === 'string';
  if (!named && toNumber(target) !== 1) {
    fail(
      'FailedToParse',
      `Invalid command format: the 'aggregate' field must specify a collection name or 1, not ${typeOf(target).name}`,
    );
  }
  const namespace = named
    ? `${context.database}.${collectionName(context)}`
    : `${context.database}.$cmd.aggregate`;
  const reading = filterContext(command);
  const pipeline = parsePipeline(context, reading);
  const batchSize = documentField(command, 'cursor', 'aggregate').get('batchSize');
  const results = resultsOf(context, pipeline, reading);
  if (pipeline.output) {
    const write = pipeline.output.name === '$out' ? writeOut : writeMerged;
    write(context, pipeline.output.spec, [...results], reading);
    return { cursor: { firstBatch: [], id: 0n, ns: namespace } };
  }
  const size = batchSize === undefined ? undefined : numberIn(batchSize, 'cursor.batchSize');
  return { cursor: state.cursors.start(namespace, results, { batchSize: size }) };
}

/** `aggregate`. */
export const aggregateCommands: Record<string, Command> = {
  aggregate: {
    run: aggregate,
    fields: [
      'pipeline',
      'cursor',
      'explain',
      'allowDiskUse',
      'bypassDocumentValidation',
      'collation',
      'hint',
      'let',
      'fromMongos',
      'needsMerge',
      'exchange',
      'runtimeConstants',
      'isMapReduceCommand',
    ],
  },
};
