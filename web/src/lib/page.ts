import { useEffect, useRef } from 'react';

let firstPage = true;

/**
 * Sets the document title. After a navigation within the app it also scrolls to the top and focuses the heading, so
 * that screen readers announce the page.
 * @returns the ref for the page's h1, which needs `tabIndex={-1}`
 */
export function usePage(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Packshot`;
  }, [title]);
  useEffect(() => {
    if (!firstPage) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    firstPage = false;
  }, []);
  return heading;
}
