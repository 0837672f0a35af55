import { type DragEvent, type MouseEvent, type PointerEvent, useRef } from 'react';

/** Pixels from which a movement is a swipe and not a click, and from which it moves the carousel. */
const dragPixels = 8;
const swipePixels = 48;

interface SwipeOptions {
  /** While true, swipes are ignored. */
  disabled: boolean;
  /** Called with 1 for a swipe to the left, which shows what is on the right, and with -1 for one to the right. */
  onSwipe: (by: 1 | -1) => void;
}

/**
 * Handlers for an element that is swiped horizontally with a finger or the mouse; its CSS needs `touch-action: pan-y`.
 * While it is dragged, it has `data-dragging`, and `--drag` is how far.
 */
export function useSwipe({ disabled, onSwipe }: SwipeOptions) {
  const drag = useRef({ pointer: -1, startX: 0, startY: 0, isDragging: false });

  const end = (element: HTMLElement) => {
    drag.current.pointer = -1;
    delete element.dataset.dragging;
    element.style.removeProperty('--drag');
  };
  return {
    onPointerDown({ pointerId, clientX, clientY, isPrimary, button }: PointerEvent<HTMLElement>) {
      drag.current.isDragging = false;
      if (disabled || !isPrimary || button !== 0) return;
      drag.current = { pointer: pointerId, startX: clientX, startY: clientY, isDragging: false };
    },
    onPointerMove({ pointerId, clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) {
      const { pointer, startX, startY, isDragging } = drag.current;
      if (pointerId !== pointer) return;
      const [x, y] = [clientX - startX, clientY - startY];
      if (!isDragging) {
        if (Math.abs(x) < dragPixels || Math.abs(x) < Math.abs(y)) return;
        drag.current.isDragging = true;
        currentTarget.setPointerCapture(pointerId);
        currentTarget.dataset.dragging = '';
      }
      currentTarget.style.setProperty('--drag', `${x}px`);
    },
    onPointerUp({ pointerId, clientX, currentTarget }: PointerEvent<HTMLElement>) {
      const { pointer, startX, isDragging } = drag.current;
      if (pointerId !== pointer) return;
      end(currentTarget);
      const x = clientX - startX;
      if (isDragging && Math.abs(x) >= swipePixels) onSwipe(x < 0 ? 1 : -1);
    },
    /** The browser took over, for example to scroll. */
    onPointerCancel: ({ currentTarget }: PointerEvent<HTMLElement>) => end(currentTarget),
    /** The click at the end of a swipe is none. */
    onClickCapture(event: MouseEvent) {
      // `detail` is 0 for a click by keyboard.
      if (drag.current.isDragging && event.detail > 0) event.stopPropagation();
    },
    /** The browser would drag a picture out of the page. */
    onDragStart: (event: DragEvent) => event.preventDefault(),
  };
}
