import { type RefCallback, useCallback, useState } from 'react';

/** @returns a ref, and the width and height in pixels of the element that it was given to; null before that */
export function useElementSize(): [ref: RefCallback<Element>, size: string | null] {
  const [size, setSize] = useState<string | null>(null);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize(`${entry.contentRect.width} × ${entry.contentRect.height}`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
