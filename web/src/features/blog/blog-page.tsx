import { Rss } from 'lucide-react';
import { posts } from '#web/content/posts.ts';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { PostList } from './post-list.tsx';

/** Every post, newest first. */
export function BlogPage() {
  const { title, description } = sitePages['/blog'];
  const heading = usePage(title);
  return (
    <SitePage>
      <div className="mx-auto max-w-5xl px-4 py-12 sm:px-6 sm:py-16">
        <h1 ref={heading} tabIndex={-1} className="text-4xl font-bold tracking-tight sm:text-5xl">
          {title}
        </h1>
        <p className="mt-4 text-lg text-ink-soft">{description}</p>
        <p className="mt-2">
          <a
            href="/blog/rss.xml"
            type="application/rss+xml"
            className={`inline-flex min-h-11 items-center gap-2 ${textLinkClass}`}
          >
            <Rss aria-hidden className="size-4" />
            RSS feed
          </a>
        </p>
        <PostList posts={posts} />
      </div>
    </SitePage>
  );
}
