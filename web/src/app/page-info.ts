import { guides } from '#web/content/guides.ts';
import { posts, tagPath, tags } from '#web/content/posts.ts';
import { type SitePageInfo, sitePages } from '#web/lib/site-pages.ts';
import { routePaths } from './routes.tsx';

const infos = new Map<string, SitePageInfo>([
  ...Object.entries(sitePages),
  ...guides.map((guide) => [`/documentation/${guide.slug}`, guide] as const),
  ...posts.map((post) => [`/blog/${post.slug}`, post] as const),
  ...tags.map((tag) => {
    const title = `Posts about ${tag}`;
    return [tagPath(tag), { title, description: `What we wrote about ${tag}.` }] as const;
  }),
]);

/** Title and description of a public page. @throws for a path that has none */
export function pageInfo(path: string): SitePageInfo {
  const info = infos.get(path);
  if (!info) throw new Error(`${path} has no title and description: add it to site-pages.ts`);
  return info;
}

/** Paths of the pages that the build renders: those with title and description. */
export const sitePaths: readonly string[] = routePaths.public.filter((path) => infos.has(path));

/** Paths of all other pages, which only the browser renders. */
export const appPaths: readonly string[] = [
  ...routePaths.public.filter((path) => !infos.has(path)),
  ...routePaths.protected,
];
