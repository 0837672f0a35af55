import { Rss } from 'lucide-react';
import { type Post, posts } from '#web/content/posts.ts';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { ContentPicture } from '#web/ui/site/content-picture.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { PostMeta } from './post-meta.tsx';

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

/** Posts as cards; the whole card leads to the post. */
function PostList({ posts }: { posts: readonly Post[] }) {
  return (
    <ul className="mt-10 grid gap-6 md:grid-cols-2">
      {posts.map((post) => (
        <li
          key={post.slug}
          className="relative overflow-hidden rounded-card border border-line bg-surface shadow-card hover:border-line-strong"
        >
          <ContentPicture
            name={post.picture}
            alt=""
            sizes="(min-width: 64rem) 31rem, (min-width: 48rem) 50vw, 100vw"
            className="aspect-[3/2] w-full object-cover"
          />
          <div className="p-6">
            <h2 className="text-xl font-semibold">
              <SiteLink to={`/blog/${post.slug}`} className="after:absolute after:inset-0 hover:underline">
                {post.title}
              </SiteLink>
            </h2>
            <p className="mt-2 text-ink-soft">{post.description}</p>
            <PostMeta post={post} className="mt-4" />
          </div>
        </li>
      ))}
    </ul>
  );
}
