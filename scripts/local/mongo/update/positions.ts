import { type Doc, showValue } from '../bson/values.ts';
import { fail } from '../errors.ts';
import { isIndex } from '../query/path.ts';
import { type ArrayFilters, type Change, findConflict } from './parse.ts';
import { getAt } from './target.ts';

/** A change and one path that it changes, without positional operators; for `$rename` the new path. */
export interface PlacedChange {
  change: Change;
  parts: string[];
}

/**
 * Resolves `$`, `$[]` and `$[identifier]` in all changes before any of them is applied: array filters test the elements
 * as they were before the update.
 * @param matched index of the array element that the query matched, for `$`; -1 for none
 * @returns the changes in the order of their paths, in which they are applied and new fields are added
 * @throws BadValue (2) when `$[` follows something that is not an array, and ConflictingUpdateOperators (40)
 */
export function placeChanges(
  document: Doc,
  changes: Change[],
  matched: number,
  filters: ArrayFilters,
): PlacedChange[] {
  const placed = changes.flatMap((change) =>
    expandPositions(document, targetOf(change), matched, filters).map((parts) => ({ change, parts })),
  );
  const conflict = findConflict(placed.map(({ parts }) => parts));
  if (conflict) fail('ConflictingUpdateOperators', `Update created a conflict at '${conflict.at}'`);
  return placed.sort((a, b) => comparePaths(a.parts, b.parts));
}

function targetOf({ operator, parts, argument }: Change): string[] {
  return operator === '$rename' ? (argument as string).split('.') : parts;
}

function expandPositions(document: Doc, parts: string[], matched: number, filters: ArrayFilters): string[][] {
  const at = parts.findIndex((part) => part === '$' || part.startsWith('$['));
  if (at < 0) return [parts];
  const before = parts.slice(0, at);
  const after = parts.slice(at + 1);
  const part = parts[at]!;
  if (part === '$') {
    if (matched < 0)
      fail('BadValue', 'The positional operator did not find the match needed from the query.');
    return expandPositions(document, [...before, String(matched), ...after], matched, filters);
  }
  const array = getAt(document, before);
  if (array === undefined) {
    fail(
      'BadValue',
      `The path '${before.join('.')}' must exist in the document in order to apply array updates.`,
    );
  }
  if (!Array.isArray(array)) {
    fail('BadValue', `Cannot apply array updates to non-array element ${before.at(-1)}: ${showValue(array)}`);
  }
  const test = part === '$[]' ? undefined : filters.get(part.slice(2, -1));
  return array.flatMap((element, index) =>
    test && !test(element)
      ? []
      : expandPositions(document, [...before, String(index), ...after], matched, filters),
  );
}

/** Numbers are ordered by value, names alphabetically. */
function comparePaths(a: string[], b: string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [left, right] = [a[at]!, b[at]!];
    if (left === right) continue;
    if (isIndex(left) && isIndex(right)) return Number(left) - Number(right);
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
