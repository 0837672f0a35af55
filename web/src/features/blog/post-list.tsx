import type { Post } from '#web/content/posts.ts';
import { ContentPicture } from '#web/ui/site/content-picture.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { PostMeta } from './post-meta.tsx';

/** Posts as cards; the whole card leads to the post. */
export function PostList({ posts }: { posts: readonly Post[] }) {
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
