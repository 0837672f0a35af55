import { librarySorts, limits, sceneTemplates, visibleStates } from '#contract';

/** What the library can be filtered and sorted by, as the names of query parameters. */
const filterNames = ['q', 'project', 'state', 'template', 'favourite', 'from', 'to', 'sort'] as const;
type FilterName = (typeof filterNames)[number];

/** Each filter's value; empty for none. `from` and `to` are the first and the last day, as `2026-11-23`. */
export type LibraryFilters = Readonly<Record<FilterName, string>>;

/** Nothing is filtered, and the newest image is first. */
export const noFilters: LibraryFilters = {
  q: '',
  project: '',
  state: '',
  template: '',
  favourite: '',
  from: '',
  to: '',
  sort: '',
};

const oneOf = (values: readonly string[]) => (value: string) => values.includes(value);
const isDay = (value: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(`${value}T00:00`));

const accepts: Partial<Record<FilterName, (value: string) => boolean>> = {
  q: (value) => value.length <= limits.searchCharacters,
  state: oneOf(visibleStates),
  template: oneOf(sceneTemplates),
  favourite: oneOf(['true']),
  from: isDay,
  to: isDay,
  sort: oneOf(librarySorts.slice(1)),
};

/** The filters in the query of a page's address; what is not valid is left out. */
export function readFilters(query: URLSearchParams): LibraryFilters {
  const read = (name: FilterName) => {
    const value = query.get(name) ?? '';
    return accepts[name]?.(value) === false ? '' : value;
  };
  return Object.fromEntries(filterNames.map((name) => [name, read(name)])) as LibraryFilters;
}

/** The parameters that are not empty, for the page's address. */
export function writeFilters(filters: LibraryFilters): URLSearchParams {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
}

/** The same for the API, which wants moments: days begin and end at midnight where the seller is. */
export function apiQuery(filters: LibraryFilters): URLSearchParams {
  const query = writeFilters(filters);
  if (filters.from) query.set('from', midnight(filters.from, 0));
  if (filters.to) query.set('to', midnight(filters.to, 1));
  return query;
}

function midnight(day: string, daysLater: number): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}

/** Whether any filter or a search is set; the sort is none. */
export function isFiltered({ sort: _, ...filters }: LibraryFilters): boolean {
  return Object.values(filters).some((value) => value !== '');
}
