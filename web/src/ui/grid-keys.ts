/** Where images are in the grid. */
interface GridShape {
  columns: number;
  /** Rows that fit in the window. */
  rowsInView: number;
  /** Images in all. */
  count: number;
}

/**
 * Where a key moves the focus in the grid; with Shift it moves the same way.
 * @param shortcut as of `shortcutOf`
 * @param index of the image with the focus
 * @returns the index of the image; undefined for a key that moves nothing
 */
export function focusAfterKey(
  shortcut: string,
  index: number,
  { columns, rowsInView, count }: GridShape,
): number | undefined {
  const rowStart = index - (index % columns);
  const page = columns * Math.max(1, rowsInView);
  const moves: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    PageUp: index - page,
    PageDown: index + page,
    Home: rowStart,
    End: rowStart + columns - 1,
    'Mod+Home': 0,
    'Mod+End': count - 1,
  };
  const key = shortcut.replace('Shift+', '');
  const next = moves[key];
  if (next === undefined) return undefined;
  // Up and down stay in their column; below the last full row, the last image is the nearest one.
  if (next < 0) return key === 'ArrowLeft' ? 0 : index % columns;
  return Math.min(next, count - 1);
}
