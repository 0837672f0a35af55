import type { mongo, QueryFilter } from 'mongoose';
import { endedStates } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { type GenerationRow, generations } from './schema.ts';

/** The generations that sellers see: all but those whose request is still under way, and deleted ones. */
export const visible = {
  state: { $ne: 'receiving' },
  deletion: null,
} as const satisfies QueryFilter<GenerationRow>;

/** Those that still have their texts and files: the visible ones, and those in the trash. */
export const kept = {
  state: { $ne: 'receiving' },
  'deletion.stage': { $nin: ['final', 'purging', 'purged'] },
} as const satisfies QueryFilter<GenerationRow>;

/** @returns a generation of any seller, also in the trash; null when there is none, it is in `receiving`, or deleted for ever */
export async function findKept(db: Db, id: string): Promise<GenerationRow | null> {
  return generations(db)
    .findOne({ _id: id, ...kept })
    .lean();
}

/** @returns a generation of any seller in any state, or null */
export async function findInAnyState(db: Db, id: string): Promise<GenerationRow | null> {
  return generations(db).findById(id).lean();
}

/** @returns a seller's own generation; null when there is none, which includes those of other sellers */
export async function findGeneration(db: Db, sellerId: string, id: string): Promise<GenerationRow | null> {
  return generations(db)
    .findOne({ _id: id, profile: sellerId, ...visible })
    .lean();
}

/** One page of a seller's generations. */
interface ListPage {
  limit: number;
  before?: { created_at: Date; _id: string } | undefined;
  project?: string | undefined;
}

/** The generations in a project. Those in the default project, whose id is the seller's, name none. */
export function inProject(sellerId: string, projectId: string) {
  return { project: projectId === sellerId ? null : projectId } satisfies QueryFilter<GenerationRow>;
}

/**
 * A page of a seller's generations, newest first.
 * @param before the last row of the previous page
 * @param project the id of a project: only those in it
 */
export async function listGenerations(
  db: Db,
  sellerId: string,
  { limit, before, project }: ListPage,
): Promise<ShownGeneration[]> {
  const older: QueryFilter<GenerationRow> = before
    ? {
        created_at: { $lte: before.created_at },
        $or: [{ created_at: { $lt: before.created_at } }, { _id: { $lt: before._id } }],
      }
    : {};
  const filter = {
    profile: sellerId,
    ...(project !== undefined && inProject(sellerId, project)),
    ...visible,
    ...older,
  };
  return readShown(db, filter, { sort: { created_at: -1, _id: -1 }, limit });
}

/** @returns at most `limit` of a seller's generations that have not ended, newest first */
export async function listPending(db: Db, sellerId: string, limit: number): Promise<ShownGeneration[]> {
  const filter = { profile: sellerId, state: { $in: ['queued', 'running'] as const } };
  return readShown(db, filter, { sort: { created_at: -1, _id: -1 }, limit, hint: 'pending' });
}

/** @returns the takes of a seller's set, by their index; empty when there is none, or it is another seller's */
export async function listTakes(db: Db, sellerId: string, setId: string): Promise<ShownGeneration[]> {
  // The photos of a set have its id, and that is what the index is on.
  const filter = { photo_set: setId, 'set.id': setId, profile: sellerId, ...visible };
  return readShown(db, filter, { sort: { 'set.index': 1 } });
}

/** @returns a seller's versions of an image, oldest first: the first one and all its changes */
export async function listVersions(db: Db, sellerId: string, rootId: string): Promise<ShownGeneration[]> {
  const filter = { $or: [{ _id: rootId }, { root: rootId }], profile: sellerId, ...visible };
  return readShown(db, filter, { sort: { created_at: 1, _id: 1 } });
}

/** @returns by which provider each version of a seller's image was made, and of which version it was */
export async function listVersionMakers(
  db: Db,
  sellerId: string,
  rootId: string,
): Promise<Pick<GenerationRow, '_id' | 'parent' | 'provider'>[]> {
  return generations(db)
    .find({ $or: [{ _id: rootId }, { root: rootId }], profile: sellerId, ...visible })
    .select({ parent: 1, provider: 1 })
    .lean();
}

/** @returns the sellers' generations that are queued or running */
export function findUnended(db: Db, sellerIds: readonly string[]): Promise<GenerationRow[]> {
  return generations(db)
    .find({ profile: { $in: [...sellerIds] }, state: { $in: ['queued', 'running'] } })
    .lean();
}

/** @returns those of the generations that exist */
export function findGenerationsById(db: Db, ids: readonly string[]): Promise<GenerationRow[]> {
  return generations(db)
    .find({ _id: { $in: [...ids] } })
    .lean();
}

/** A seller's generations, oldest first, with those in the trash. */
export function generationsOf(db: Db, sellerId: string): AsyncIterable<GenerationRow> {
  return generations(db)
    .find({ profile: sellerId, ...kept })
    .sort({ created_at: 1, _id: 1 })
    .lean()
    .cursor();
}

/** What the files of a generation are found by. */
export type FileOwner = Pick<GenerationRow, '_id' | 'photo_set'>;

/** All of a seller's generations, those in `receiving` included. */
export function fileOwnersOf(db: Db, sellerId: string): AsyncIterable<FileOwner> {
  return generations(db)
    .find({ profile: sellerId })
    .select({ _id: 1, photo_set: 1 })
    .lean<FileOwner[]>()
    .cursor();
}

/** Every generation in any state, in no particular order. */
export function allGenerations(db: Db): AsyncIterable<GenerationRow> {
  return generations(db).find().lean().cursor();
}

/** @returns those of the ids that are generations, in any state */
export async function existingGenerations(db: Db, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await generations(db).distinct('_id', { _id: { $in: [...ids] } }));
}

/**
 * @param which those that were created at a time or later, deleted ones included; or those whose photos are kept, as in the trash
 * @returns how many of a seller's images failed or were cancelled, at most `limit`
 */
export function countUnmade(
  db: Db,
  sellerId: string,
  which: { since: Date } | 'kept',
  limit: number,
): Promise<number> {
  const state = { $in: ['failed', 'cancelled'] as const };
  const those =
    which === 'kept' ? { 'deletion.stage': kept['deletion.stage'] } : { created_at: { $gte: which.since } };
  return generations(db)
    .countDocuments({ profile: sellerId, state, ...those })
    .limit(limit);
}

/** @returns how many generations are running */
export function countRunning(db: Db): Promise<number> {
  return generations(db).countDocuments({ state: 'running' });
}

/** @returns the number of generations, those in `receiving` included */
export function countGenerations(db: Db): Promise<number> {
  return generations(db).countDocuments();
}

/** @returns storage keys of the photos of the newest `limit` generations */
export async function findNewestPhotoKeys(db: Db, limit: number): Promise<string[]> {
  const rows = await generations(db)
    .find(visible)
    .sort({ _id: -1 })
    .limit(limit)
    .select({ photos: 1 })
    .lean();
  return rows.flatMap(({ photos }) => photos.map(({ key }) => key));
}

/** The fields that the API shows. Lists read only these, because the other fields would double the amount of data. */
export const shownFields = [
  '_id',
  'profile',
  'project',
  'set',
  'state',
  'revision',
  'prompt',
  'product_name',
  'sku',
  'asin',
  'photos',
  'photos_show',
  'options',
  'quality',
  'priority',
  'progress',
  'preview_key',
  'image',
  'edits',
  'favourite',
  'match',
  'photo_set',
  'parent',
  'root',
  'change',
  'remake_of',
  'remade_by',
  'batch',
  'failure',
  'trace',
  'charged',
  'calls',
  'created_at',
  'started_at',
  'ended_at',
] as const satisfies readonly (keyof GenerationRow)[];
export type ShownGeneration = Pick<GenerationRow, (typeof shownFields)[number]>;

const shown = Object.fromEntries(shownFields.map((name) => [name, 1]));

/**
 * Reads what the API shows of generations. By the driver: what mongoose adds to a statement is a good part of what a list costs.
 * @param also further fields
 */
export function readShown<Also extends keyof GenerationRow = never>(
  db: Db,
  filter: QueryFilter<GenerationRow>,
  { also = [], ...options }: mongo.FindOptions & { also?: readonly Also[] },
): Promise<(ShownGeneration & Pick<GenerationRow, Also>)[]> {
  const projection = { ...shown, ...Object.fromEntries(also.map((name) => [name, 1])) };
  return generations(db)
    .collection.find<ShownGeneration & Pick<GenerationRow, Also>>(filter as mongo.Filter<mongo.Document>, {
      ...options,
      projection,
    })
    .toArray();
}

/** @returns ids of a seller's generations that have ended and are kept, at most `limit`, in no particular order */
export async function findEndedOf(db: Db, sellerId: string, limit: number): Promise<string[]> {
  const rows = await generations(db)
    .find({ ...kept, profile: sellerId, state: { $in: [...endedStates] } })
    .limit(limit)
    .select({ _id: 1 })
    .lean();
  return rows.map(({ _id }) => _id);
}

/** What the count of a day is checked by. */
export type CountedGeneration = Pick<
  GenerationRow,
  '_id' | 'profile' | 'counted_on' | 'count' | 'state' | 'failure' | 'calls'
>;

/** @returns the generations of sellers that were asked for since a moment and counted in a day, deleted ones too */
export function listCountedSince(
  db: Db,
  sellerIds: readonly string[],
  since: Date,
): Promise<CountedGeneration[]> {
  return generations(db)
    .find({ profile: { $in: [...sellerIds] }, created_at: { $gte: since }, counted_on: { $gt: '' } })
    .select({ profile: 1, counted_on: 1, count: 1, state: 1, failure: 1, calls: 1 })
    .lean<CountedGeneration[]>();
}
