import { posts } from '#web/content/posts.ts';
import { usePage } from '#web/lib/page.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { PostList } from './post-list.tsx';

/** The posts with one tag, newest first. */
export function TagPage({ tag }: { tag: string }) {
  const heading = usePage(`Posts about ${tag}`);
  return (
    <SitePage>
      <div className="mx-auto max-w-5xl px-4 py-12 sm:px-6 sm:py-16">
        <h1 ref={heading} tabIndex={-1} className="text-4xl font-bold tracking-tight">
          Posts about {tag}
        </h1>
        <p className="mt-4">
          <SiteLink to="/blog" className={textLinkClass}>
            All posts
          </SiteLink>
        </p>
        <PostList posts={posts.filter(({ tags }) => tags.includes(tag))} />
      </div>
    </SitePage>
  );
}
