import type { LibraryQuery, LibrarySort } from '#contract';
import type { Db } from '#shared/data/db.ts';
import type { ShownGeneration } from '#shared/data/generations/find.ts';
import {
  countLibrary,
  findShown,
  type LibraryPlace,
  type LibraryRow,
  type LibrarySource,
  readLibrary,
} from '#shared/data/generations/search.ts';
import { wordsOf } from '#shared/data/generations/search-fields.ts';

/** Rows of a source that are read at once, and up to which a source is small. */
const step = 400;
/** Steps for one page, at most. */
const steps = 2;

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
 * (docs/decisions/0059-the-library-is-read-in-bounded-steps.md): if what one of the conditions finds is little, it is
 * read whole; else the images are read in their order, in steps, until the page is full or enough were read. So a page may
 * have fewer images than asked for, also none, although there are more.
 */
export async function readLibraryPage(
  db: Db,
  sellerId: string,
  request: LibraryRequest,
): Promise<LibraryPage> {
  const matches = matcherOf(sellerId, request);
  const small = await smallSource(db, sellerId, request);
  const { rows, next } = small
    ? pageOf((await readLibrary(db, sellerId, small, { limit: step })).filter(matches), request)
    : await readInOrder(db, sellerId, request, matches);
  return {
    rows: await findShown(
      db,
      sellerId,
      rows.map(({ _id }) => _id),
    ),
    next,
  };
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

/** Words of a request that are looked up; the others are only compared. */
const wordsCounted = 3;

/** A source with fewer rows than a step; undefined when there is none. */
async function smallSource(
  db: Db,
  sellerId: string,
  request: LibraryRequest,
): Promise<LibrarySource | undefined> {
  const sources = sourcesOf(request);
  const words = sources.filter(({ by }) => by === 'word').slice(0, wordsCounted);
  for (const source of [...words, ...sources.filter(({ by }) => by !== 'word')]) {
    if ((await countLibrary(db, sellerId, source, step)) < step) return source;
  }
  return undefined;
}

/** Reads images in their order until a page is full, or enough were read. */
async function readInOrder(
  db: Db,
  sellerId: string,
  request: LibraryRequest,
  matches: (row: LibraryRow) => boolean,
): Promise<{ rows: LibraryRow[]; next: LibraryPlace | null }> {
  const { sort, from, to, limit } = request;
  const source = orderedSource(request);
  // The index of names has no dates: with them as a condition, all images would be read to fill one step.
  const dates = sort === 'name' ? {} : { from, to };
  const found: LibraryRow[] = [];
  let { after } = request;
  for (let count = 0; count < steps; count += 1) {
    const rows = await readLibrary(db, sellerId, source, { limit: step, sort, after, ...dates });
    found.push(...rows.filter(matches));
    if (found.length > limit) {
      const page = found.slice(0, limit);
      return { rows: page, next: placeOf(page.at(-1)!) };
    }
    const last = rows.at(-1);
    if (!last || rows.length < step) return { rows: found, next: null };
    after = placeOf(last);
  }
  return { rows: found, next: after ?? null };
}

/** The source with the fewest images that has them in the order of the sort. */
function orderedSource({ sort, favourite, state, project, template }: LibraryRequest): LibrarySource {
  if (sort === 'name') return { by: 'name' };
  if (favourite) return { by: 'favourite' };
  // Nearly all images have succeeded.
  if (state !== undefined && state !== 'succeeded') return { by: 'state', state };
  if (project !== undefined) return { by: 'project', project };
  if (template !== undefined) return { by: 'template', template };
  return { by: 'all' };
}

function matcherOf(
  sellerId: string,
  { words, project, favourite, state, template, from, to }: LibraryRequest,
): (row: LibraryRow) => boolean {
  return (row) =>
    !row.deletion &&
    row.state !== 'receiving' &&
    (project === undefined || (row.project ?? sellerId) === project) &&
    (!favourite || row.favourite === true) &&
    (state === undefined || row.state === state) &&
    (template === undefined || row.template === template) &&
    (from === undefined || row.created_at >= from) &&
    (to === undefined || row.created_at < to) &&
    words.every((prefix) => row.words?.some((word) => word.startsWith(prefix)));
}

/** A page of all images that match, in no particular order. */
function pageOf(
  matching: readonly LibraryRow[],
  { sort, after, limit }: LibraryRequest,
): { rows: LibraryRow[]; next: LibraryPlace | null } {
  const compare = comparisons[sort];
  const rest = matching
    .filter((row) => after === undefined || compare(placeOf(row), after) > 0)
    .toSorted((one, other) => compare(placeOf(one), placeOf(other)));
  const rows = rest.slice(0, limit);
  return { rows, next: rest.length > limit ? placeOf(rows.at(-1)!) : null };
}

const placeOf = ({ _id, created_at, name_key = '' }: LibraryRow): LibraryPlace => ({
  _id,
  created_at,
  name_key,
});

/** As MongoDB compares texts: by their bytes. */
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

const comparisons: Record<LibrarySort, (one: LibraryPlace, other: LibraryPlace) => number> = {
  newest: (one, other) => comparisons.oldest(other, one),
  oldest: (one, other) =>
    one.created_at.getTime() - other.created_at.getTime() || byBytes(one._id, other._id),
  name: (one, other) => byBytes(one.name_key, other.name_key) || byBytes(one._id, other._id),
};
