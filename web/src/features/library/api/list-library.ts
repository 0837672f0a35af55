import { type GenerationList, generationListSchema, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';
import { apiQuery, type LibraryFilters } from '../library-filters.ts';

/** Images that are fetched at once. */
const pageSize = 48;

/** A page of the images that match. @param cursor null for the first page @throws ApiError */
export function listLibrary(
  filters: LibraryFilters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<GenerationList> {
  const query = apiQuery(filters);
  query.set('limit', String(pageSize));
  if (cursor !== null) query.set('cursor', cursor);
  return callApi('GET', `${paths.library}?${query}`, generationListSchema, { signal });
}
