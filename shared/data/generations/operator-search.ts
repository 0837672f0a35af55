import type { QueryFilter } from 'mongoose';
import { type GenerationState, generationStates } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, generations } from './schema.ts';

/** What operators search generations by. */
export interface GenerationSearch {
  profile?: string;
  state?: GenerationState;
  failure?: NonNullable<GenerationRow['failure']>['code'];
  /** Only those that were submitted until then. */
  until?: Date;
}

const fields = { profile: 1, state: 1, failure: 1, created_at: 1, ended_at: 1 } as const;

/** What a list shows of a generation. */
export type FoundGeneration = Pick<GenerationRow, '_id' | keyof typeof fields>;

/**
 * A page of the generations of all sellers, newest first. Each state is read by itself, in the order of an index, so that
 * no page reads past generations that it does not show.
 * @param before the last row of the previous page
 */
export async function searchGenerations(
  db: Db,
  { profile, state, failure, until }: GenerationSearch,
  limit: number,
  before?: { created_at: Date; _id: string },
): Promise<FoundGeneration[]> {
  const latest = [until, before?.created_at].flatMap((date) => (date ? [date.getTime()] : []));
  const common: QueryFilter<GenerationRow> = {
    ...(profile !== undefined && { profile }),
    ...(failure !== undefined && { 'failure.code': failure }),
    ...(latest.length > 0 && { created_at: { $lte: new Date(Math.min(...latest)) } }),
    ...(before && { $or: [{ created_at: { $lt: before.created_at } }, { _id: { $lt: before._id } }] }),
  };
  const wanted = failure !== undefined ? ['failed' as const] : generationStates;
  const states = state === undefined ? wanted : wanted.filter((each) => each === state);
  const found = await Promise.all(
    states.map((each) =>
      generations(db)
        .find({ ...common, state: each })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .select(fields)
        .lean<FoundGeneration[]>(),
    ),
  );
  return found
    .flat()
    .sort((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a._id < b._id ? 1 : -1))
    .slice(0, limit);
}
