import type { Db } from '#shared/data/db.ts';
import { visible } from './find.ts';
import { type GenerationRow, generations } from './schema.ts';

/* Statements on the generations in projects. */

/** What a project's card shows. */
export interface ProjectContents {
  /** Finished images. */
  images: number;
  /** The newest of them. */
  newest: string;
}

/** @returns what is in each of a seller's projects, by the project's id; none for a project without finished images */
export async function contentsOfProjects(db: Db, sellerId: string): Promise<Map<string, ProjectContents>> {
  const groups = await generations(db).aggregate<{
    _id: string | null;
    images: number;
    newest: string;
  }>([
    { $match: { profile: sellerId, state: 'succeeded', deletion: null } },
    { $sort: { profile: 1, created_at: -1, _id: -1 } },
    { $group: { _id: '$project', images: { $sum: 1 }, newest: { $first: '$_id' } } },
  ]);
  return new Map(groups.map(({ _id, images, newest }) => [_id ?? sellerId, { images, newest }]));
}

/** @returns the projects of those of the generations that are finished images of the seller, by the ids of the images */
export async function projectsOfImages(
  db: Db,
  sellerId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await generations(db)
    .find({ _id: { $in: [...ids] }, profile: sellerId, state: 'succeeded', deletion: null })
    .select({ project: 1 })
    .lean();
  return new Map(rows.map(({ _id, project }) => [_id, project ?? sellerId]));
}

/** The update that puts generations into a project of their seller. */
const putInto = (sellerId: string, projectId: string) => ({
  ...(projectId === sellerId ? { $unset: { project: 1 as const } } : { $set: { project: projectId } }),
  $inc: { revision: 1 },
});

/** Moves a seller's own generations to a project. @returns those that were moved, as they are now */
export async function moveGenerations(
  db: Db,
  sellerId: string,
  ids: readonly string[],
  projectId: string,
): Promise<GenerationRow[]> {
  const mine = { _id: { $in: [...ids] }, profile: sellerId, ...visible };
  const elsewhere = projectId === sellerId ? { project: { $ne: null } } : { project: { $ne: projectId } };
  const moved = await generations(db).distinct('_id', { ...mine, ...elsewhere });
  await generations(db).updateMany({ _id: { $in: moved }, ...elsewhere }, putInto(sellerId, projectId));
  return generations(db)
    .find({ _id: { $in: moved }, ...visible })
    .lean();
}

/** Moves everything in a project to the default project of its seller, in any state. @returns how many were moved */
export async function moveAllToDefault(db: Db, sellerId: string, projectId: string): Promise<number> {
  const result = await generations(db).updateMany(
    { profile: sellerId, project: projectId },
    putInto(sellerId, sellerId),
  );
  return result.modifiedCount;
}

/** @returns whether a project has generations that have not ended */
export async function hasUnendedIn(db: Db, sellerId: string, projectId: string): Promise<boolean> {
  const unended = await generations(db).exists({
    profile: sellerId,
    project: projectId,
    state: { $in: ['receiving', 'queued', 'running'] },
  });
  return unended !== null;
}

/** @returns the ids of at most `limit` ended generations in a project that were submitted before a moment */
export async function findEndedIn(
  db: Db,
  sellerId: string,
  projectId: string,
  submittedBefore: Date,
  limit: number,
): Promise<string[]> {
  const rows = await generations(db)
    .find({
      profile: sellerId,
      project: projectId,
      deletion: null,
      state: { $in: ['succeeded', 'failed', 'cancelled'] },
      created_at: { $lt: submittedBefore },
    })
    .select({ _id: 1 })
    .limit(limit)
    .lean();
  return rows.map(({ _id }) => _id);
}
