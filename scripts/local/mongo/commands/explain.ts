import type { Doc } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { parseFilter } from '../query/filter.ts';
import { parseSort } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { type Plan, parseHint } from '../storage/plan.ts';
import { findDocuments, needsSorting, planOf, type ScanCounts, type Search } from '../storage/scan.ts';
import { splitPipeline } from './aggregate.ts';
import { type Command, type CommandContext, documentField, findCollection, type Reply } from './context.ts';
import { searchOf } from './read.ts';

function explain(context: CommandContext): Reply {
  const inner = context.command.get('explain');
  if (!(inner instanceof Map) || inner.size === 0)
    fail('FailedToParse', 'explain requires a command to explain');
  const verbosity = context.command.get('verbosity') ?? 'allPlansExecution';
  if (!['queryPlanner', 'executionStats', 'allPlansExecution'].includes(verbosity as string)) {
    fail(
      'BadValue',
      `Enumeration value '${String(verbosity as string)}' for field 'explain.verbosity' is not a valid value.`,
    );
  }
  const [name] = inner.keys() as unknown as [string];
  return explainCommand({ ...context, command: inner, name }, verbosity !== 'queryPlanner');
}

/** Explains a command: its query plan and, with `run`, the cost of executing it. Nothing is written. */
function explainCommand(context: CommandContext, run: boolean): Reply {
  const search = searchFor(context);
  const collection = findCollection(context);
  const plan: Plan = collection ? planOf(collection, search) : { stage: 'EOF' };
  const reply: Reply = {
    explainVersion: '1',
    queryPlanner: {
      namespace: `${context.database}.${String(context.command.get(context.name) as string)}`,
      parsedQuery: queryOf(context),
      rejectedPlans: [],
      winningPlan: describePlan(plan, search),
    },
    command: context.command,
  };
  if (run) reply.executionStats = execute(collection, search, plan);
  return reply;
}

function execute(collection: Collection | undefined, search: Search, plan: Plan): Reply {
  const counts: ScanCounts = { keys: 0, documents: 0 };
  const start = performance.now();
  let nReturned = 0;
  if (collection) for (const _ of findDocuments(collection, search, counts, plan)) nReturned++;
  return {
    executionSuccess: true,
    nReturned,
    executionTimeMillis: Math.round(performance.now() - start),
    totalKeysExamined: counts.keys,
    totalDocsExamined: counts.documents,
    executionStages: { ...describePlan(plan, search), nReturned },
  };
}

function describePlan(plan: Plan, search: Search): Reply {
  const found = describeScan(plan);
  return needsSorting(search, plan)
    ? {
        stage: 'SORT',
        sortPattern: Object.fromEntries(search.sort.map(({ path, direction }) => [path, direction])),
        inputStage: found,
      }
    : found;
}

function describeScan(plan: Plan): Reply {
  switch (plan.stage) {
    case 'COLLSCAN':
      return { stage: 'COLLSCAN', direction: 'forward' };
    case 'IXSCAN':
      return {
        stage: 'FETCH',
        inputStage: {
          stage: 'IXSCAN',
          keyPattern: plan.index.spec.get('key'),
          indexName: plan.index.name,
          isMultiKey: plan.index.multikey,
          isUnique: plan.index.unique,
          isSparse: plan.index.sparse,
          isPartial: plan.index.partial !== undefined,
          direction: plan.reverse ? 'backward' : 'forward',
          ranges: plan.ranges.length,
        },
      };
    case 'OR':
      return {
        stage: 'FETCH',
        inputStage: { stage: 'OR', inputStages: plan.plans.map((each) => innermost(describeScan(each))) },
      };
    default:
      return { stage: plan.stage };
  }
}

function innermost(stage: Reply): unknown {
  return stage.stage === 'FETCH' ? stage.inputStage : stage;
}

function queryOf({ command, name }: CommandContext): Doc {
  if (name === 'find') return documentField(command, 'filter', name);
  if (name === 'update' || name === 'delete') return documentField(firstStatement(command), 'q', name);
  return name === 'aggregate' ? new Map() : documentField(command, 'query', name);
}

function firstStatement(command: Doc): Doc {
  const list = command.get('updates') ?? command.get('deletes');
  const first = Array.isArray(list) ? list[0] : undefined;
  return first instanceof Map ? first : new Map();
}

function searchFor(context: CommandContext): Search {
  const { command, name } = context;
  switch (name) {
    case 'find':
      return searchOf(context);
    case 'aggregate':
      return splitPipeline(context)[0].search;
    case 'distinct':
    case 'findAndModify':
    case 'update':
    case 'delete': {
      const statement = name === 'update' || name === 'delete' ? firstStatement(command) : command;
      return {
        filter: parseFilter(queryOf(context)),
        sort: parseSort(statement.get('sort')),
        hint: parseHint(statement.get('hint'), findCollection(context)),
        skip: 0,
        limit: name === 'findAndModify' ? 1 : 0,
      };
    }
    default:
      return fail('CommandNotFound', `Explain failed due to unknown command: ${name}`);
  }
}

/** The `explain` command. */
export const explainCommands: Record<string, Command> = { explain: { run: explain } };
