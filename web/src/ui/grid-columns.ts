import { type RefObject, useLayoutEffect, useState } from 'react';

/** In px: the width of an image at least where there is room, and the space between two. */
const tileWidth = 180;
/** The space between two columns in px. */
export const columnGap = 12;
const phoneWidth = 560;

/** The columns of a grid, the width of each, and where the grid begins in the page, all in px. */
interface GridColumns {
  count: number;
  width: number;
  top: number;
}

/** Two columns on phones, and as many as fit elsewhere. */
export function useGridColumns(grid: RefObject<HTMLElement | null>): GridColumns {
  const [columns, setColumns] = useState<GridColumns>({ count: 2, width: tileWidth, top: 0 });
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return;
    const measure = () => {
      const { width, top } = element.getBoundingClientRect();
      const fitting = Math.floor((width + columnGap) / (tileWidth + columnGap));
      const count = width < phoneWidth ? 2 : fitting;
      const next = {
        count,
        width: (width + columnGap) / count - columnGap,
        top: Math.round(top + window.scrollY),
      };
      setColumns((before) =>
        before.count === next.count && before.width === next.width && before.top === next.top ? before : next,
      );
    };
    measure();
    // What is above the grid may become higher, which changes the height of the page.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [grid]);
  return columns;
}
