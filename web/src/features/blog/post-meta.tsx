import clsx from 'clsx';
import { type Post, tagPath } from '#web/content/posts.ts';
import { SiteLink } from '#web/ui/site/site-link.tsx';

const days = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Date and tags of a post. */
export function PostMeta({ post, className }: { post: Post; className?: string }) {
  return (
    <p className={clsx('flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft', className)}>
      <time dateTime={post.date}>{days.format(new Date(post.date))}</time>
      {post.tags.map((tag) => (
        <SiteLink
          key={tag}
          to={tagPath(tag)}
          className="relative rounded-full bg-sunken px-3 py-1 text-ink hover:underline"
        >
          {tag}
        </SiteLink>
      ))}
    </p>
  );
}
