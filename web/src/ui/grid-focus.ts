import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The id of the image that an element of a grid belongs to. */
export const idAt = (element: Element) => element.closest<HTMLElement>('[data-id]')?.dataset.id;

/**
 * Which image of a grid is the stop of the Tab key, by the ids that their elements have as `data-id`.
 * @returns its index, -1 without images; `moveTo` gives another one the focus, as soon as it is rendered
 */
export function useGridFocus(grid: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const [focused, setFocused] = useState({ id: '', index: 0 });
  const takesFocus = useRef(false);
  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    const cell = grid.current?.querySelector<HTMLElement>(`[data-id="${focused.id}"]`);
    if (!cell) return;
    takesFocus.current = false;
    cell.focus({ preventScroll: true });
  });
  return {
    // When it is gone: the one that took its place.
    index: ids.includes(focused.id) ? ids.indexOf(focused.id) : Math.min(focused.index, ids.length - 1),
    moveTo: (index: number) => {
      setFocused({ id: ids[index]!, index });
      takesFocus.current = true;
    },
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      const id = idAt(target);
      if (id !== undefined) setFocused({ id, index: ids.indexOf(id) });
    },
  };
}
