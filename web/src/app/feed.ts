import { Feed } from 'feed';
import { posts } from '#web/content/posts.ts';
import { sitePages } from '#web/lib/site-pages.ts';

/** The address of the feed. */
export const feedPath = '/blog/rss.xml';

/**
 * The blog as RSS 2.0, newest post first.
 * @param origin begins absolute addresses, without a slash at the end
 */
export function createFeed(origin: string): string {
  const { title, description } = sitePages['/blog'];
  const blog = `${origin}/blog`;
  const feed = new Feed({
    title: `Packshot ${title}`,
    description,
    id: blog,
    link: blog,
    language: 'en',
    copyright: '© 2025 Packshot',
    // Otherwise the time of the build: then the same checkout would not give the same file.
    updated: new Date(posts[0]!.date),
    feedLinks: { rss: `${origin}${feedPath}` },
  });
  for (const { slug, title, description, date, tags } of posts) {
    const link = `${blog}/${slug}`;
    const category = tags.map((name) => ({ name }));
    feed.addItem({ title, id: link, link, description, date: new Date(date), category });
  }
  return feed.rss2();
}
