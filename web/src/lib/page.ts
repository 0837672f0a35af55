import { useEffect, useRef } from 'react';

let firstPage = true;
let pageTitle: string | null = null;
let titleStatus: string | null = null;

function showTitle(): void {
  const title = titleStatus ?? pageTitle;
  if (title !== null) document.title = `${title} · Packshot`;
}

/** Shows a status in the tab in place of the page's title; null shows the title again. */
export function setTitleStatus(status: string | null): void {
  titleStatus = status;
  showTitle();
}

/**
 * Sets the document title. After a navigation within the app it also scrolls to the top and focuses the heading, so
 * that screen readers announce the page.
 * @returns the ref for the page's h1, which needs `tabIndex={-1}`
 */
export function usePage(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    pageTitle = title;
    showTitle();
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
