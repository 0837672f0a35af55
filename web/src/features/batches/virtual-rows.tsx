import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

interface VirtualRowsProps {
  /** Identifies each row. */
  keys: readonly (string | number)[];
  /** Height of most rows with their gap, in pixels. */
  usualHeight: number;
  /** Whether rows stand apart from each other. */
  gap?: boolean;
  renderRow: (index: number) => ReactNode;
  /** Set to a function that scrolls to a row, by its index. */
  scrollRef?: RefObject<((index: number) => void) | null>;
}

/** Many rows, each as high as it needs to be. Only those on the screen are rendered. */
export function VirtualRows({ keys, usualHeight, gap = true, renderRow, scrollRef }: VirtualRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  /** Where the list begins in the page. */
  const [top, setTop] = useState(0);
  // After every change: what is above the list may have another height.
  useLayoutEffect(() => {
    setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
  });
  const virtualizer = useWindowVirtualizer({
    count: keys.length,
    estimateSize: () => usualHeight,
    getItemKey: (index) => keys[index]!,
    overscan: 4,
    scrollMargin: top,
  });
  useImperativeHandle(scrollRef, () => (index) => virtualizer.scrollToIndex(index, { align: 'center' }));
  return (
    <ul ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-setsize={keys.length}
          aria-posinset={index + 1}
          className={`absolute top-0 left-0 w-full ${gap ? 'pb-3' : ''}`}
          style={{ transform: `translateY(${start - top}px)` }}
        >
          {renderRow(index)}
        </li>
      ))}
    </ul>
  );
}
