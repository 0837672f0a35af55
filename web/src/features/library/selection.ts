/** Which images are marked. */
export interface Selection {
  readonly marked: ReadonlySet<string>;
  /** Where a range begins; null for where the focus is. */
  readonly anchor: string | null;
  /** What was marked before the range was begun. */
  readonly base: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** Nothing is marked. */
export const noSelection: Selection = { marked: none, anchor: null, base: none };

/** Marks an image, or takes its mark away. A range begins there. */
export function toggleMark({ marked }: Selection, id: string): Selection {
  const next = new Set(marked);
  if (!next.delete(id)) next.add(id);
  return { marked: next, anchor: id, base: next };
}

/** Begins a range at an image, without marking it. */
export function beginRange({ marked }: Selection, id: string): Selection {
  return { marked, anchor: id, base: marked };
}

/**
 * Marks everything from where the range began to an image, besides what was marked before. A range that shrinks takes its
 * marks away.
 * @param ids all images in their order
 * @param from where the range begins if none was begun
 */
export function extendRange(
  { anchor, base }: Selection,
  ids: readonly string[],
  from: string,
  to: string,
): Selection {
  const begin = anchor !== null && ids.includes(anchor) ? anchor : from;
  const [first, last] = [ids.indexOf(begin), ids.indexOf(to)].toSorted((one, other) => one - other);
  return { marked: new Set([...base, ...ids.slice(first, last! + 1)]), anchor: begin, base };
}

/** Marks all images. */
export function markAll({ anchor }: Selection, ids: readonly string[]): Selection {
  const all = new Set(ids);
  return { marked: all, anchor, base: all };
}
