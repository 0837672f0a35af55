import type { Maybe, Value } from '../bson/values.ts';

/** Where a filter matched within an array, for the positional operator `$`. */
export interface MatchPosition {
  /** The index in the first array on the path to the match; -1 when there was no array. */
  index: number;
}

/** The parts of a dotted path. */
export type Path = readonly string[];

const paths = new Map<string, Path>();

/** Splits a dotted path; results are cached. */
export function splitPath(path: string): Path {
  let parts = paths.get(path);
  if (!parts) {
    if (paths.size > 10_000) paths.clear();
    parts = path.split('.');
    paths.set(path, parts);
  }
  return parts;
}

const NUMERIC = /^(0|[1-9]\d*)$/;

/** Whether a part of a path can be an array index. */
export function isIndex(part: string): boolean {
  return NUMERIC.test(part);
}

/**
 * Whether any value at a path passes a test. Arrays on the path are traversed by element and by index. An array at
 * the end is tested as a whole and, with `leaves`, by its elements. If the path does not exist, `undefined` is
 * tested, except for scalar elements of an array, which are skipped.
 */
export function anyAt(
  value: Maybe,
  path: Path,
  from: number,
  leaves: boolean,
  test: (value: Maybe) => boolean,
  position?: MatchPosition,
): boolean {
  if (from === path.length) {
    if (leaves && Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        if (!test(value[index])) continue;
        if (position) position.index = index;
        return true;
      }
    }
    return test(value);
  }
  const part = path[from]!;
  if (value instanceof Map) return anyAt(value.get(part), path, from + 1, leaves, test, position);
  if (!Array.isArray(value)) return test(undefined);
  for (let index = 0; index < value.length; index++) {
    const element = value[index];
    if (element instanceof Map && anyAt(element, path, from, leaves, test, position)) {
      if (position) position.index = index;
      return true;
    }
  }
  if (!isIndex(part) || Number(part) >= value.length) return false;
  const last = from + 1 === path.length;
  const matched = anyAt(value[Number(part)], path, from + 1, leaves, test, position);
  if (matched && position && last && position.index < 0) position.index = Number(part);
  return matched;
}

/**
 * Collects all values at a path in the way indexes and sorts do: arrays on the path and at its end contribute their
 * elements. An empty array at the end contributes `emptyArray`, a path that does not exist contributes null.
 * @returns whether there was an array
 */
export function collectAt(value: Maybe, path: Path, from: number, into: Value[], emptyArray: Value): boolean {
  if (from === path.length) {
    if (!Array.isArray(value)) {
      into.push(value === undefined ? null : value);
      return false;
    }
    if (value.length === 0) into.push(emptyArray);
    for (const element of value) into.push(element);
    return true;
  }
  if (value instanceof Map) return collectAt(value.get(path[from]!), path, from + 1, into, emptyArray);
  if (!Array.isArray(value)) {
    into.push(null);
    return false;
  }
  const part = path[from]!;
  if (isIndex(part) && Number(part) < value.length) {
    collectAt(value[Number(part)], path, from + 1, into, emptyArray);
    return true;
  }
  const before = into.length;
  for (const element of value) {
    if (element instanceof Map) collectAt(element, path, from, into, emptyArray);
  }
  if (into.length === before) into.push(null);
  return true;
}
