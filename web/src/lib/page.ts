import { useEffect, useRef } from 'react';

let firstPage = true;

/**
 * Titles the document and, when the page was come to within the app, moves the focus to its heading, so that a
 * screen reader says where one is.
 * @returns the ref for the page's h1, which needs `tabIndex={-1}`
 */
export function usePage(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Packshot`;
  }, [title]);
  useEffect(() => {
    // On the first load the browser starts at the top by itself.
    if (!firstPage) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    firstPage = false;
  }, []);
  return heading;
}
