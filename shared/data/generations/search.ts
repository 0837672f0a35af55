import type { QueryFilter, SortOrder } from 'mongoose';
import { type GenerationState, generationStates, type LibrarySort, type SceneTemplate } from '#contract';
import type { Db } from '#shared/data/db.ts';
import { inProject, readShown, type ShownGeneration, visible } from './find.ts';
import { type GenerationRow, generations } from './schema.ts';

/*
 * Statements of the library (docs/decisions/0059-the-library-is-read-in-bounded-steps.md). Each names its index, and reads a
 * number of rows that does not depend on how many images a seller has.
 */

/** A way to find images by an index. */
export type LibrarySource =
  | { by: 'all' | 'name' | 'favourite' }
  | { by: 'project'; project: string }
  | { by: 'state'; state: GenerationRow['state'] }
  | { by: 'template'; template: SceneTemplate }
  | { by: 'dates'; from: Date | undefined; to: Date | undefined }
  | { by: 'word'; prefix: string };

/** The index of each source, by its name: several have the same fields. */
const indexes: Record<LibrarySource['by'], string> = {
  all: 'profile_1_created_at_-1__id_-1',
  name: 'profile_1_name_key_1__id_1',
  favourite: 'favourites',
  project: 'profile_1_project_1_created_at_-1__id_-1',
  state: 'profile_1_state_1_created_at_-1__id_-1',
  template: 'profile_1_template_1_created_at_-1__id_-1',
  dates: 'profile_1_created_at_-1__id_-1',
  word: 'profile_1_words_1_created_at_-1__id_-1',
};

function filterOf(sellerId: string, source: LibrarySource): QueryFilter<GenerationRow> {
  switch (source.by) {
    case 'all':
    case 'name':
      return { profile: sellerId };
    case 'favourite':
      return { profile: sellerId, favourite: true };
    case 'project':
      return { profile: sellerId, ...inProject(sellerId, source.project) };
    case 'state':
      return { profile: sellerId, state: source.state };
    case 'template':
      return { profile: sellerId, template: source.template };
    case 'dates':
      return { profile: sellerId, ...within(source) };
    case 'word':
      // As one element, or different words could be above and below.
      return {
        profile: sellerId,
        words: { $elemMatch: { $gte: source.prefix, $lt: `${source.prefix}\u{10ffff}` } },
      };
  }
}

/** The condition that rows are from this time or later, and before the other one. */
const within = ({ from, to }: { from?: Date | undefined; to?: Date | undefined }) =>
  from || to ? { created_at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : {};

/** @returns how many rows a source has; not counted beyond `most` */
export function countLibrary(db: Db, sellerId: string, source: LibrarySource, most: number): Promise<number> {
  return generations(db).countDocuments(filterOf(sellerId, source), {
    limit: most,
    hint: indexes[source.by],
  });
}

/** Where a page begins: after this row, in the order of the sort. */
export type LibraryPlace = Pick<GenerationRow, '_id' | 'created_at'> & { name_key: string };

/** A part of a source. */
export interface LibraryPart {
  limit: number;
  /** The order, if rows are to be read in it: all sources but words have it by date, and `name` by name. */
  sort?: LibrarySort;
  after?: LibraryPlace | undefined;
  /** The last row of the part. */
  until?: LibraryPlace | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The rows of a part of a source, as conditions: each is one range of the index, and they are in the order of the part. */
function rangesOf(
  sellerId: string,
  source: LibrarySource,
  { sort = 'newest', after, until, from, to }: Omit<LibraryPart, 'limit'>,
): QueryFilter<GenerationRow>[] {
  const conditions =
    sort === 'name'
      ? namesBetween(after, until)
      : [{ $and: [after ? placedAfter(after, sort) : {}, until ? placedUntil(until, sort) : {}] }];
  return conditions.map((condition) => ({
    ...filterOf(sellerId, source),
    $and: [within({ from, to }), condition],
  })) as QueryFilter<GenerationRow>[];
}

/** @returns the place of the row that is the last one of a part; null when the source ends before */
export async function findLastPlace(
  db: Db,
  sellerId: string,
  source: LibrarySource,
  { limit, sort = 'newest', ...part }: LibraryPart,
): Promise<LibraryPlace | null> {
  const hint = indexes[source.by];
  const ranges = rangesOf(sellerId, source, { sort, ...part });
  let left = limit;
  for (const [index, range] of ranges.entries()) {
    const [row] = await generations(db)
      .find(range)
      .sort(orders[sort])
      .skip(left - 1)
      .limit(1)
      .hint(hint)
      .select({ _id: 1, created_at: 1, name_key: 1 })
      .lean<Pick<GenerationRow, keyof LibraryPlace>[]>();
    if (row) return { ...row, name_key: row.name_key ?? '' };
    if (index < ranges.length - 1) left -= await generations(db).countDocuments(range, { limit: left, hint });
  }
  return null;
}

/** Reads what the API shows of the rows of a part that fulfil conditions, in their order. */
export async function readMatching(
  db: Db,
  sellerId: string,
  source: LibrarySource,
  conditions: readonly LibrarySource[],
  { limit, sort = 'newest', ...part }: LibraryPart,
): Promise<ShownLibraryRow[]> {
  const all = [visible, ...conditions.map((condition) => filterOf(sellerId, condition))];
  const options = { sort: orders[sort] as Record<string, 1 | -1>, hint: indexes[source.by] };
  const rows: ShownLibraryRow[] = [];
  for (const range of rangesOf(sellerId, source, { sort, ...part })) {
    if (rows.length === limit) break;
    const filter = { $and: [range, ...all] } as QueryFilter<GenerationRow>;
    const also = ['name_key', 'deletion'] as const;
    rows.push(...(await readShown(db, filter, { ...options, limit: limit - rows.length, also })));
  }
  return rows;
}

const orders: Record<LibrarySort, Record<string, SortOrder>> = {
  newest: { created_at: -1, _id: -1 },
  oldest: { created_at: 1, _id: 1 },
  name: { name_key: 1, _id: 1 },
};

/**
 * The rows after a place in an order: those with the same key, then those with later ones. As two conditions, each is one
 * range of the index; as one, all rows with the same key would be read, which are many if images have the same name.
 */
function laterThan(
  { _id, created_at: at, name_key: name }: LibraryPlace,
  sort: LibrarySort,
): QueryFilter<GenerationRow>[] {
  if (sort === 'name') return [{ name_key: name, _id: { $gt: _id } }, { name_key: { $gt: name } }];
  if (sort === 'oldest') return [{ created_at: at, _id: { $gt: _id } }, { created_at: { $gt: at } }];
  return [{ created_at: at, _id: { $lt: _id } }, { created_at: { $lt: at } }];
}

/** What is shown of a row, with what says where the next page begins and whether it is shown. */
export type ShownLibraryRow = ShownGeneration & Pick<GenerationRow, 'name_key' | 'deletion'>;

/**
 * Reads what the API shows of the first rows of a source, in their order: also deleted ones, so that no more rows are read than
 * asked for.
 */
export function readShownLibrary(
  db: Db,
  sellerId: string,
  source: LibrarySource,
  { limit, sort = 'newest', after, from, to }: LibraryPart,
): Promise<ShownLibraryRow[]> {
  const filter = {
    ...filterOf(sellerId, source),
    $and: [within({ from, to }), after ? placedAfter(after, sort) : {}],
  } as QueryFilter<GenerationRow>;
  const options = { sort: orders[sort] as Record<string, 1 | -1>, limit, hint: indexes[source.by] };
  return readShown(db, filter, { ...options, also: ['name_key', 'deletion'] });
}

/** Reads what the API shows of the rows that fulfil all conditions, in their order. @param sources the first one has few rows */
export function readSmallLibrary(
  db: Db,
  sellerId: string,
  [small, ...others]: readonly [LibrarySource, ...LibrarySource[]],
  { limit, sort = 'newest', after }: LibraryPart,
): Promise<ShownLibraryRow[]> {
  const conditions = others.map((source) => filterOf(sellerId, source));
  const filter = {
    ...filterOf(sellerId, small),
    $and: [visible, ...conditions, ...(after ? [{ $or: laterThan(after, sort) }] : [])],
  } as QueryFilter<GenerationRow>;
  const options = { sort: orders[sort] as Record<string, 1 | -1>, limit, hint: indexes[small.by] };
  return readShown(db, filter, { ...options, also: ['name_key', 'deletion'] });
}

/** The rows after a place and up to another one in the order of names: many may have the same name. */
function namesBetween(after?: LibraryPlace, until?: LibraryPlace): QueryFilter<GenerationRow>[] {
  if (!until) return after ? laterThan(after, 'name') : [{}];
  const { name_key: name, _id } = until;
  if (after?.name_key === name) return [{ name_key: name, _id: { $gt: after._id, $lte: _id } }];
  const before = after
    ? [
        { name_key: after.name_key, _id: { $gt: after._id } },
        { name_key: { $gt: after.name_key, $lt: name } },
      ]
    : [{ name_key: { $lt: name } }];
  return [...before, { name_key: name, _id: { $lte: _id } }];
}

/** The rows up to a place as one condition, likewise. */
function placedUntil({ created_at: at, _id }: LibraryPlace, sort: LibrarySort): QueryFilter<GenerationRow> {
  return sort === 'oldest'
    ? { created_at: { $lte: at }, $or: [{ created_at: { $lt: at } }, { _id: { $lte: _id } }] }
    : { created_at: { $gte: at }, $or: [{ created_at: { $gt: at } }, { _id: { $gte: _id } }] };
}

/** The rows after a place as one condition, for sorts by date: few have the same one. */
function placedAfter(place: LibraryPlace, sort: LibrarySort): QueryFilter<GenerationRow> {
  const bound = sort === 'oldest' ? { $gte: place.created_at } : { $lte: place.created_at };
  return { created_at: bound, $or: laterThan(place, sort) };
}

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
