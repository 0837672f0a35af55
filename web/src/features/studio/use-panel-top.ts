import { type RefObject, useLayoutEffect } from 'react';

/** Padding above the studio's panels, in px (`pt-5`). */
const paddingPx = 20;
/** Where a panel stays when the page is scrolled, in px (`top-20`). */
const stickyTopPx = 80;

/**
 * Keeps `--panel-top` of an element up to date: the height of what is above its panels, such as the banner of an overdue
 * payment. Panels that are no higher than the rest of the window always show their buttons.
 */
export function usePanelTop(container: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = container.current;
    const root = document.getElementById('root');
    if (element === null || root === null) return;
    const measure = () => {
      const top = element.getBoundingClientRect().top + window.scrollY + paddingPx;
      element.style.setProperty('--panel-top', `${Math.max(top, stickyTopPx)}px`);
    };
    measure();
    // What appears above moves everything below it, so the height of the page changes.
    const observer = new ResizeObserver(measure);
    observer.observe(root);
    return () => observer.disconnect();
  }, [container]);
}
