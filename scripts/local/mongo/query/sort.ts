import { compareValues } from '../bson/compare.ts';
import { BSON_UNDEFINED, type Doc, isNumeric, type Maybe, toNumber, type Value } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { collectAt, type Path, splitPath } from './path.ts';

/** One field of a sort order. */
export interface SortField {
  path: string;
  parts: Path;
  direction: 1 | -1;
}

/**
 * Parses a command's `sort`. @throws BadValue (2) for directions other than 1 and -1, TypeMismatch (14) unless it is
 * a document
 */
export function parseSort(option: Maybe): SortField[] {
  if (option === undefined || option === null) return [];
  if (!(option instanceof Map)) fail('TypeMismatch', 'Expected field sortto be of type object');
  return [...option].map(([path, value]) => {
    const direction = isNumeric(value) ? toNumber(value) : Number.NaN;
    if (direction !== 1 && direction !== -1) {
      fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    if (path === '' || path.split('.').includes('')) {
      fail(15998, 'FieldPath field names may not be empty strings.');
    }
    if (path.startsWith('$')) {
      fail(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
    }
    return { path, parts: splitPath(path), direction };
  });
}

/**
 * The values of a document that a sort compares, one for each field; for an array, its smallest or largest element.
 */
function sortKey(document: Doc, sort: SortField[]): Value[] {
  return sort.map(({ parts, direction }) => {
    const values: Value[] = [];
    collectAt(document, parts, 0, values, BSON_UNDEFINED);
    let best = values[0]!;
    for (let index = 1; index < values.length; index++) {
      if (compareValues(values[index], best) * direction < 0) best = values[index]!;
    }
    return best;
  });
}

/** Sorts items by their documents; the sort is stable. */
export function sortItems<Item>(
  items: Iterable<Item>,
  documentOf: (item: Item) => Doc,
  sort: SortField[],
): Item[] {
  const keyed: { item: Item; key: Value[] }[] = [];
  for (const item of items) keyed.push({ item, key: sortKey(documentOf(item), sort) });
  keyed.sort((a, b) => compareSortKeys(a.key, b.key, sort));
  return keyed.map(({ item }) => item);
}

function compareSortKeys(a: Value[], b: Value[], sort: SortField[]): number {
  for (let index = 0; index < sort.length; index++) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return order * sort[index]!.direction;
  }
  return 0;
}
