import { z } from 'zod';

/** What the build of the web app tells the server: `web/dist/site.json`. Not part of the API. */
export const siteManifestSchema = z.object({
  /** Stands for the public address in all pages and text files below; the server replaces it. */
  origin: z.string(),
  /** Files of the prerendered pages in `web/dist/pages`, by path. */
  pages: z.record(z.string(), z.string()),
  /** Other files in `web/dist/pages` by path, with their media type: the feed of the blog. */
  files: z.record(z.string(), z.object({ file: z.string(), type: z.string() })),
  /** Paths of the app's other pages, such as `/dashboard` or `/items/:id`: all of them are served `shell`. */
  appPaths: z.array(z.string()),
  /** The page without content for `appPaths`. */
  shell: z.string(),
  /** The page for unknown addresses. */
  notFound: z.string(),
});
export type SiteManifest = z.infer<typeof siteManifestSchema>;
