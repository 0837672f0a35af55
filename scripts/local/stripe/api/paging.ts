/** Pagination of lists, newest first. */
import { z } from 'zod';
import { noSuch } from '../errors.ts';
import { integer, nonEmptyText } from './fields.ts';
import { checkParameters, type Parameters } from './parameters.ts';

const pagingSchema = z.object({
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: nonEmptyText.optional(),
});

const names = Object.keys(pagingSchema.shape);

/** Separates the pagination parameters from the other parameters of a call. */
export function splitPaging(parameters: Parameters): {
  paging: z.output<typeof pagingSchema>;
  rest: Parameters;
} {
  const entries = Object.entries(parameters);
  return {
    paging: checkParameters(
      pagingSchema,
      Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    ),
    rest: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  };
}

/**
 * Cuts one page out of a list.
 * @param all every object that matches, newest first
 * @throws StripeApiError 400 for a cursor that is not in the list
 */
export function pageOf<T extends { id: string }>(
  all: T[],
  paging: z.output<typeof pagingSchema>,
): { data: T[]; hasMore: boolean } {
  const { limit, starting_after: after } = paging;
  const found = after === undefined ? all : all.slice(indexOf(all, after) + 1);
  return { data: found.slice(0, limit), hasMore: found.length > limit };
}

function indexOf(all: { id: string }[], id: string): number {
  const index = all.findIndex((each) => each.id === id);
  if (index === -1) throw noSuch('object', id, 'starting_after');
  return index;
}
