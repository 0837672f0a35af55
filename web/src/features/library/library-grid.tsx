import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import { useNavigate, useNavigationType } from 'react-router-dom';
import type { GenerationView } from '#contract';
import { shortcutOf } from '#web/lib/shortcut.ts';
import { columnGap, useGridColumns } from '#web/ui/grid-columns.ts';
import { idAt, useGridFocus } from '#web/ui/grid-focus.ts';
import { focusAfterKey } from '#web/ui/grid-keys.ts';
import { LibraryTile, studioLink } from './library-tile.tsx';
import { beginRange, extendRange, markAll, noSelection, type Selection, toggleMark } from './selection.ts';

/** In px: name and date below an image, and the space between two rows. */
const textHeight = 44;
const rowGap = 20;
/** In px: what the top bar and the bar of actions cover of the window. */
const coveredTop = 80;
const coveredBottom = 140;

/** The image that was opened last: Back leads to its place in the grid. */
let openedId: string | undefined;

interface LibraryGridProps {
  views: readonly GenerationView[];
  selection: Selection;
  onSelect: (change: (selection: Selection) => Selection) => void;
  /** Whether there are images that are not loaded. */
  hasMore: boolean;
  /** Called when the last loaded images come into view. */
  onEnd: () => void;
}

/** Images in a grid of which only the rows in view are rendered. Marked and walked through with the keyboard too. */
export function LibraryGrid({ views, selection, onSelect, hasMore, onEnd }: LibraryGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const columns = useGridColumns(grid);
  const navigate = useNavigate();
  const ids = views.map(({ id }) => id);
  const focus = useGridFocus(grid, ids);
  const focusedRow = Math.floor(focus.index / columns.count);
  const rows = Math.ceil(views.length / columns.count);
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: rows,
    estimateSize: () => columns.width + textHeight,
    gap: rowGap,
    overscan: 3,
    scrollMargin: columns.top,
    scrollPaddingStart: coveredTop,
    scrollPaddingEnd: coveredBottom,
    // Scrolling away does not take the focus from its image, and the Tab key finds it.
    rangeExtractor: (range) => [
      ...new Set([...defaultRangeExtractor(range), Math.min(focusedRow, rows - 1)].toSorted((a, b) => a - b)),
    ],
  });
  const shownRows = virtualizer.getVirtualItems();

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows out of view have another height then as well
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, columns.width]);
  const lastRow = virtualizer.range?.endIndex ?? 0;
  const isAtEnd = lastRow >= rows - 3;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);

  const moveFocus = (index: number, align: 'auto' | 'center' = 'auto') => {
    focus.moveTo(index);
    virtualizer.scrollToIndex(Math.floor(index / columns.count), { align });
  };
  const open = (id: string) => {
    openedId = id;
    void navigate(studioLink(id));
  };
  const isBack = useNavigationType() === 'POP';
  const returnToOpened = useEffectEvent(() => {
    const index = ids.indexOf(openedId ?? '');
    openedId = undefined;
    if (isBack && index >= 0) moveFocus(index, 'center');
  });
  useEffect(() => {
    // After the page has scrolled to its top.
    const frame = requestAnimationFrame(() => returnToOpened());
    return () => cancelAnimationFrame(frame);
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const id = ids[focus.index];
    const shortcut = shortcutOf(event);
    if (id === undefined) return;
    const rowsInView = Math.floor((window.innerHeight - coveredTop) / (columns.width + textHeight + rowGap));
    const shape = { columns: columns.count, rowsInView, count: ids.length };
    const target = focusAfterKey(shortcut, focus.index, shape);
    if (target !== undefined) {
      moveFocus(target);
      onSelect((before) =>
        event.shiftKey ? extendRange(before, ids, id, ids[target]!) : beginRange(before, ids[target]!),
      );
    } else if (shortcut === ' ') {
      onSelect((before) => toggleMark(before, id));
    } else if (shortcut === 'Enter' && event.target instanceof Element && event.target.matches('[data-id]')) {
      open(id);
    } else if (shortcut === 'Escape' && selection.marked.size > 0) {
      onSelect(() => noSelection);
    } else if (shortcut === 'Mod+a') {
      onSelect((before) => markAll(before, ids));
    } else {
      return;
    }
    event.preventDefault();
  };
  const press = useLongPress((id) => onSelect((before) => toggleMark(before, id)));
  /** A click opens an image or marks it. The link never sees it: it is for the browser's own menu and the middle button. */
  const onClickCapture = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as Element;
    const id = idAt(target);
    if (id === undefined) return;
    event.preventDefault();
    if (press.wasPress()) return;
    const isMark = event.ctrlKey || event.metaKey || target.closest('[data-mark]') !== null;
    if (event.shiftKey) onSelect((before) => extendRange(before, ids, id, id));
    else if (isMark || selection.marked.size > 0) onSelect((before) => toggleMark(before, id));
    else open(id);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be virtualised in rows of any number of columns
    <div
      ref={grid}
      role="grid"
      aria-label="Images"
      aria-multiselectable
      aria-rowcount={hasMore ? -1 : rows}
      aria-colcount={columns.count}
      onKeyDown={onKeyDown}
      onFocus={focus.onFocus}
      onClickCapture={onClickCapture}
      {...press.handlers}
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {shownRows.map(({ key, index: row, start }) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus
        <div
          key={key}
          ref={virtualizer.measureElement}
          data-index={row}
          role="row"
          aria-rowindex={row + 1}
          className="absolute inset-x-0 top-0 grid"
          style={{
            columnGap,
            gridTemplateColumns: `repeat(${columns.count}, minmax(0, 1fr))`,
            transform: `translateY(${start - columns.top}px)`,
          }}
        >
          {views.slice(row * columns.count, (row + 1) * columns.count).map((view, column) => (
            <LibraryTile
              key={view.id}
              view={view}
              column={column}
              marked={selection.marked.has(view.id)}
              focusable={row * columns.count + column === focus.index}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

const pressMs = 500;
/** A finger that moves further scrolls. */
const maxMovePixels = 10;

/**
 * Long presses of a finger on images, which are elements with `data-id`.
 * @returns handlers for the element around them; `wasPress` tells whether the click that follows belongs to one
 */
function useLongPress(onPress: (id: string) => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const pressed = useRef(false);
  const end = () => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  useEffect(() => () => clearTimeout(press.current?.timer), []);
  return {
    wasPress: () => pressed.current,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        pressed.current = false;
        end();
        const id = (event.target as Element).closest<HTMLElement>('[data-id]')?.dataset.id;
        if (event.pointerType === 'mouse' || id === undefined) return;
        const timer = setTimeout(() => {
          pressed.current = true;
          onPress(id);
        }, pressMs);
        press.current = { timer, x: event.clientX, y: event.clientY };
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = press.current ?? { x: clientX, y: clientY };
        if (Math.hypot(clientX - x, clientY - y) > maxMovePixels) end();
      },
      onPointerUp: end,
      onPointerCancel: end,
      // The browser's menu for links would cover the image.
      onContextMenu: (event: { preventDefault: () => void }) => {
        if (press.current || pressed.current) event.preventDefault();
      },
    },
  };
}
