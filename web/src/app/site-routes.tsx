import { contentPages } from './content-pages.tsx';
import { createPageCode, type PageCode } from './lazy-page.tsx';

/**
 * Pages that do not call the API, by path. One that is opened by its address runs without the router, whose code it does not
 * need: its links load the next document.
 */
export const sitePages: Readonly<Record<string, PageCode>> = {
  '/': createPageCode(async () => (await import('#web/features/landing/landing-page.tsx')).LandingPage),
  ...contentPages,
};
