import { type RefObject, useEffect, useState } from 'react';

/** Whether the pointer or the focus has been on an element: its next pictures may then be loaded. */
export function useHasInteracted(element: RefObject<HTMLElement | null>): boolean {
  const [isUsed, setIsUsed] = useState(false);
  useEffect(() => {
    const used = () => setIsUsed(true);
    const target = element.current;
    target?.addEventListener('pointerenter', used, { once: true });
    target?.addEventListener('focusin', used, { once: true });
    return () => {
      target?.removeEventListener('pointerenter', used);
      target?.removeEventListener('focusin', used);
    };
  }, [element]);
  return isUsed;
}
