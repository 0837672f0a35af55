import type { LibraryQuery } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { ShownGeneration } from '#shared/data/generations/find.ts';
import {
  countLibrary,
  findLastPlace,
  type LibraryPlace,
  type LibrarySource,
  readMatching,
  readShownLibrary,
  readSmallLibrary,
  type ShownLibraryRow,
} from '#shared/data/generations/search.ts';
import { wordsOf } from '#shared/data/generations/search-fields.ts';

/** With fewer rows than these a source is small. */
const smallRows = 400;
/** Rows that are read for one page, at most. */
const readMost = 800;

/** What a page is asked for; `q` as words. */
export type LibraryRequest = Omit<LibraryQuery, 'q' | 'cursor' | 'from' | 'to'> & {
  words: string[];
  from?: Date | undefined;
  to?: Date | undefined;
  after?: LibraryPlace | undefined;
};

/** A page of the library. */
export interface LibraryPage {
  rows: ShownGeneration[];
  /** Where the next page begins; null on the last one. */
  next: LibraryPlace | null;
}

const dateOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** The request of a query. @param after the place that its cursor names */
export function libraryRequest(
  { q, cursor: _, from, to, ...rest }: LibraryQuery,
  after?: LibraryPlace,
): LibraryRequest {
  return { ...rest, words: wordsOf(q ?? ''), from: dateOf(from), to: dateOf(to), after };
}

/**
 * Reads a page of a seller's library, in time that does not depend on the number of images
 * (docs/decisions/0059-the-library-is-read-in-bounded-steps.md): if what one of the conditions finds is little, the page is
 * searched in it; else it is searched among the next images in their order, of which a bounded number is read. So a page may
 * have fewer images than asked for, also none, although there are more. Where one condition finds all of them in their order, the
 * first images are the page, unless there are deleted ones between them.
 */
export async function readLibraryPage(
  db: Db,
  sellerId: string,
  request: LibraryRequest,
): Promise<LibraryPage> {
  const sources = sourcesOf(request);
  const simple = simpleSource(request, sources);
  if (simple) {
    const page = pageOf(
      await readShownLibrary(db, sellerId, simple, { ...request, limit: request.limit + 1 }),
      request,
    );
    if (page) return page;
  }
  const small = await smallSource(db, sellerId, sources);
  if (small) {
    const others = sources.filter((source) => source !== small);
    const page = { ...request, limit: request.limit + 1 };
    return pageOf(await readSmallLibrary(db, sellerId, [small, ...others], page), request)!;
  }
  return readInOrder(db, sellerId, request, sources);
}

/** The sources that contain everything that a request asks for. */
function sourcesOf({
  words,
  project,
  favourite,
  state,
  template,
  from,
  to,
}: LibraryRequest): LibrarySource[] {
  return [
    // Long words are rarer.
    ...words
      .toSorted((one, other) => other.length - one.length)
      .map((prefix) => ({ by: 'word', prefix }) as const),
    ...(favourite ? [{ by: 'favourite' } as const] : []),
    ...(state !== undefined ? [{ by: 'state', state } as const] : []),
    ...(project !== undefined ? [{ by: 'project', project } as const] : []),
    ...(template !== undefined ? [{ by: 'template', template } as const] : []),
    ...((from ?? to) ? [{ by: 'dates', from, to } as const] : []),
  ];
}

/** The source that has just what a request asks for, in its order; undefined for a request of several conditions. */
function simpleSource(request: LibraryRequest, sources: readonly LibrarySource[]): LibrarySource | undefined {
  const { sort, words, after } = request;
  // By name, a page after another one is two ranges of the index, and the index has no dates.
  if (sort === 'name') return sources.length === 0 && !after ? { by: 'name' } : undefined;
  const conditions = sources.filter(({ by }) => by !== 'dates');
  if (words.length > 0 || conditions.length > 1) return undefined;
  return conditions[0] ?? { by: 'all' };
}

/** Words of a request that are looked up; the others are only compared. */
const wordsCounted = 3;

/** A source with few rows; undefined when there is none. */
async function smallSource(
  db: Db,
  sellerId: string,
  sources: readonly LibrarySource[],
): Promise<LibrarySource | undefined> {
  const words = sources.filter(({ by }) => by === 'word').slice(0, wordsCounted);
  for (const source of [...words, ...sources.filter(({ by }) => by !== 'word')]) {
    if ((await countLibrary(db, sellerId, source, smallRows)) < smallRows) return source;
  }
  return undefined;
}

/** Reads the page among the next images in their order, of which so many are read as one page may cost. */
async function readInOrder(
  db: Db,
  sellerId: string,
  { sort, from, to, after, limit, ...request }: LibraryRequest,
  conditions: readonly LibrarySource[],
): Promise<LibraryPage> {
  const source = orderedSource({ sort, ...request });
  // The index of names has no dates: with them as a condition, all images would be read to find the last one.
  const part = { sort, after, ...(sort !== 'name' && { from, to }) };
  const last = await findLastPlace(db, sellerId, source, { ...part, limit: readMost });
  const until = last ?? undefined;
  const rows = await readMatching(db, sellerId, source, conditions, { ...part, until, limit: limit + 1 });
  if (rows.length <= limit) return { rows, next: last };
  const page = rows.slice(0, limit);
  return { rows: page, next: placeOf(page.at(-1)!) };
}

/** The source with the fewest images that has them in the order of the sort. */
function orderedSource({
  sort,
  favourite,
  state,
  project,
  template,
}: Pick<LibraryRequest, 'sort' | 'favourite' | 'state' | 'project' | 'template'>): LibrarySource {
  if (sort === 'name') return { by: 'name' };
  if (favourite) return { by: 'favourite' };
  // Nearly all images have succeeded.
  if (state !== undefined && state !== 'succeeded') return { by: 'state', state };
  if (project !== undefined) return { by: 'project', project };
  if (template !== undefined) return { by: 'template', template };
  return { by: 'all' };
}

/**
 * The page that begins with some rows, of which one more was read than it has.
 * @returns undefined when deleted ones are between them, and there are more
 */
function pageOf(found: readonly ShownLibraryRow[], { limit }: LibraryRequest): LibraryPage | undefined {
  const shown = found.filter(({ deletion, state }) => !deletion && state !== 'receiving');
  const isLast = found.length <= limit;
  if (!isLast && shown.length < found.length) return undefined;
  const rows = shown.slice(0, limit);
  return { rows, next: isLast ? null : placeOf(rows.at(-1)!) };
}

const placeOf = ({
  _id,
  created_at,
  name_key = '',
}: Pick<ShownLibraryRow, keyof LibraryPlace>): LibraryPlace => ({
  _id,
  created_at,
  name_key,
});
