import mongoose from 'mongoose';
import { connectionOf } from '#shared/data/collection.ts';
import type { Db } from '#shared/data/db.ts';

type Part = Record<string, unknown>;

/** How MongoDB executes a statement. */
export interface Plan {
  /** The stages that find and sort, the last one first: COLLSCAN, IXSCAN, SORT… */
  stages: string[];
  indexes: { name: string; key: string[]; partial: boolean }[];
  /** What a run on the invented documents examined and found. */
  keys: number;
  documents: number;
  returned: number;
}

/** @returns a command in extended JSON as the driver takes it */
export function parseCommand(text: string): Part {
  return mongoose.mongo.BSON.EJSON.parse(text) as Part;
}

/**
 * Asks MongoDB for its plan, and how much it reads. Nothing is written.
 * @param command a `find`, `aggregate`, `findAndModify`, `update`, `delete`, `count` or `distinct`
 */
export async function explainCommand(db: Db, command: Part): Promise<Plan> {
  const database = connectionOf(db).db!;
  const { comment: _, ...explained } = command;
  const sample = await database.collection(collectionOf(command)).findOne({});
  const reply = await database.command({
    explain: withValuesOf(explained, sample ?? {}) as Part,
    verbosity: 'executionStats',
  });
  const plan: Plan = { stages: [], indexes: [], keys: 0, documents: 0, returned: 0 };
  collect(reply as Part, plan);
  return plan;
}

/** The collection that a command reads. */
export function collectionOf(command: Part): string {
  return String(Object.values(command)[0]);
}

/** A condition on a text gets a text of a stored document, so that it matches something. */
function withValuesOf(value: unknown, sample: Part): unknown {
  if (Array.isArray(value)) return value.map((each) => withValuesOf(each, sample));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value as Part).map(([path, condition]) => {
      const stored = path.split('.').reduce<unknown>((inner, name) => {
        const one = Array.isArray(inner) ? inner[0] : inner;
        return (one as Part | null | undefined)?.[name];
      }, sample);
      // A word, such as a state, is the same in every execution.
      const replaced =
        typeof condition === 'string' && typeof stored === 'string' && !/^[a-z-]+$/.test(condition);
      return [path, replaced ? stored : withValuesOf(condition, sample)];
    }),
  );
}

/** Finds the winning plan and the statistics, wherever the reply has them: an aggregation's are within its stages. */
function collect(reply: Part, plan: Plan): void {
  for (const [name, value] of Object.entries(reply)) {
    if (value === null || typeof value !== 'object') continue;
    if (name === 'winningPlan') collectStages(value as Part, plan);
    else if (name === '$sort') plan.stages.push('SORT');
    else if (name === 'executionStats') {
      const stats = value as { totalKeysExamined: number; totalDocsExamined: number; nReturned: number };
      plan.keys += stats.totalKeysExamined;
      plan.documents += stats.totalDocsExamined;
      plan.returned += stats.nReturned;
    } else if (name === 'queryPlanner' || name === 'stages' || name === '$cursor' || Array.isArray(reply)) {
      collect(value as Part, plan);
    }
  }
}

function collectStages(part: Part, plan: Plan): void {
  if (typeof part.stage === 'string') plan.stages.push(part.stage);
  if (part.keyPattern !== null && typeof part.keyPattern === 'object') {
    const { indexName: name, keyPattern, isPartial, isSparse } = part;
    plan.indexes.push({
      name: String(name),
      key: Object.keys(keyPattern as Part),
      partial: isPartial === true || isSparse === true,
    });
  }
  for (const value of Object.values(part)) {
    if (value !== null && typeof value === 'object') collectStages(value as Part, plan);
  }
}
