import { SitemapStream, streamToPromise } from 'sitemap';
import { posts } from '#web/content/posts.ts';
import { sitePaths } from './page-info.ts';

/** Every public page, for search engines; posts with their day. @param origin begins the addresses */
export async function createSitemap(origin: string): Promise<string> {
  const stream = new SitemapStream({ hostname: origin });
  for (const url of sitePaths) {
    const post = posts.find(({ slug }) => url === `/blog/${slug}`);
    stream.write(post ? { url, lastmod: post.date } : { url });
  }
  stream.end();
  return String(await streamToPromise(stream));
}

/** What search engines may read: pages that need an account say `noindex` themselves. */
export function createRobots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`;
}
