import { z } from 'zod';
import { type LibrarySort, librarySorts } from '#contract';
import type { LibraryPlace } from '#shared/data/generations/search.ts';
import { AppError } from '#shared/platform/errors.ts';

/** What a cursor contains: the sort, and the place after which the page begins. */
const placeSchema = z.tuple([
  z.enum(librarySorts),
  z.number().int().min(0).max(8.64e15),
  z.string().regex(/^[0-9a-f]{24}$/),
  z.string(),
]);

/** Encodes where a page of the library ends. Opaque to clients. */
export function encodePlace({ _id, created_at, name_key }: LibraryPlace, sort: LibrarySort): string {
  return Buffer.from(JSON.stringify([sort, created_at.getTime(), _id, name_key])).toString('base64url');
}

/** @throws AppError VALIDATION when it was not made by `encodePlace` for this sort */
export function decodePlace(cursor: string, sort: LibrarySort): LibraryPlace {
  const parsed = placeSchema.safeParse(parsedJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success || parsed.data[0] !== sort) {
    throw new AppError('VALIDATION', { message: 'The field "cursor" is not valid.', field: 'cursor' });
  }
  const [, time, _id, name_key] = parsed.data;
  return { created_at: new Date(time), _id, name_key };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
