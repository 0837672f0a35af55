import { type PointerEvent, type RefObject, useRef, useSyncExternalStore } from 'react';

/** How far a finger moves for the next picture, in px; a finger that rests moves less. */
const leastPx = 48;

interface Swipe {
  /** Shows the previous or next picture; null at an end. */
  previous: (() => void) | null;
  next: (() => void) | null;
  /** What follows the finger. */
  picture: RefObject<HTMLElement | null>;
}

/**
 * Lets a finger lead to the previous and next picture. The page still scrolls up and down and is zoomed with two fingers over
 * it; in a page that is zoomed, one finger moves the page.
 * @returns props of the element that is swiped; none if there is nowhere to go
 */
export function useSwipe({ previous, next, picture }: Swipe) {
  const isZoomed = useSyncExternalStore(subscribeToZoom, isPageZoomed);
  const startX = useRef<number>(null);
  if ((!previous && !next) || isZoomed) return {};
  const move = (x: number) => {
    if (picture.current) picture.current.style.translate = x === 0 ? '' : `${x}px`;
  };
  const end = () => {
    startX.current = null;
    move(0);
  };
  return {
    // The browser keeps what is left: then it cancels the pointer.
    style: { touchAction: 'pan-y pinch-zoom' },
    onPointerDown: ({ pointerType, isPrimary, clientX }: PointerEvent) => {
      // A second finger zooms.
      if (!isPrimary) end();
      else if (pointerType === 'touch') startX.current = clientX;
    },
    onPointerMove: ({ isPrimary, clientX }: PointerEvent) => {
      if (startX.current === null || !isPrimary) return;
      const moved = clientX - startX.current;
      move((moved > 0 ? previous : next) ? moved : 0);
    },
    onPointerUp: ({ isPrimary, clientX }: PointerEvent) => {
      if (startX.current === null || !isPrimary) return;
      const moved = clientX - startX.current;
      end();
      if (Math.abs(moved) >= leastPx) (moved > 0 ? previous : next)?.();
    },
    onPointerCancel: end,
  };
}

/** Whether two fingers have zoomed the page. */
const isPageZoomed = () => (window.visualViewport?.scale ?? 1) > 1;

function subscribeToZoom(listener: () => void): () => void {
  const { visualViewport } = window;
  visualViewport?.addEventListener('resize', listener);
  return () => visualViewport?.removeEventListener('resize', listener);
}
