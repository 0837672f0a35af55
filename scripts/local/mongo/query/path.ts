import type { Maybe, Value } from '../bson/values.ts';

/** Where a filter matched within an array, for the positional operator `$`. */
export interface MatchPosition {
  /** The index within the first array on the way to the match; -1 when no array was crossed. */
  index: number;
}

/** A dotted path in its parts. */
export type Path = readonly string[];

const paths = new Map<string, Path>();

/** Splits a dotted path; results are shared. */
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

/** Whether a part of a path can be an array's index. */
export function isIndex(part: string): boolean {
  return NUMERIC.test(part);
}

/**
 * Whether any value that a path leads to passes a test. Arrays on the way are crossed, by their elements and by index;
 * an array at the end is tested as a whole and, with `leaves`, by its elements. A path that leads nowhere tests
 * `undefined`, except within an array, whose scalar elements lead nowhere at all.
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
 * All values of a path, as an index and a sort see them: arrays on the way and at the end give their elements.
 * An empty array at the end gives `emptyArray`, a path that leads nowhere gives null.
 * @returns whether an array was crossed.
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
