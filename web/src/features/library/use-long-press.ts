import { type PointerEvent, useEffect, useRef } from 'react';

const pressMs = 500;
/** A finger that moves further scrolls. */
const maxMovePixels = 10;

/**
 * Long presses of a finger on images, which are elements with `data-id`.
 * @returns handlers for the element around them; `wasPress` tells whether the click that follows belongs to one
 */
export function useLongPress(onPress: (id: string) => void) {
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
