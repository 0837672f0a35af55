/** Pagination of lists, newest first. */
import { z } from 'zod';
import { noSuch } from '../errors.ts';
import { integer, nonEmptyText, timeRange } from './fields.ts';
import { checkParameters, type Parameters } from './parameters.ts';

const pagingSchema = z.object({
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: nonEmptyText.optional(),
  ending_before: nonEmptyText.optional(),
  created: timeRange.optional(),
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
export function pageOf<T extends { id: string; created?: number }>(
  all: T[],
  paging: z.output<typeof pagingSchema>,
): { data: T[]; hasMore: boolean } {
  const { limit, starting_after: after, ending_before: before, created = {} } = paging;
  let found = all;
  if (after !== undefined) found = found.slice(indexOf(found, after, 'starting_after') + 1);
  if (before !== undefined) found = found.slice(0, indexOf(found, before, 'ending_before'));
  const {
    gt = -Infinity,
    gte = -Infinity,
    lt = Infinity,
    lte = Infinity,
  } = created as Record<string, number>;
  found = found.filter(({ created: at = 0 }) => at > gt && at >= gte && at < lt && at <= lte);
  const data = before === undefined ? found.slice(0, limit) : found.slice(-limit);
  return { data, hasMore: found.length > data.length };
}

function indexOf(all: { id: string }[], id: string, param: string): number {
  const index = all.findIndex((each) => each.id === id);
  if (index === -1) throw noSuch('object', id, param);
  return index;
}
