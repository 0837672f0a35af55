/**
 * The oldest browsers that the web app is built and tested for (docs/browsers.md). web/public/too-old.js names older ones.
 */
export const oldestBrowsers = { chrome: '111', edge: '111', firefox: '121', safari: '16.4' } as const;
