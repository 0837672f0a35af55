import type { MarkdownModule } from '#web/content/article.ts';
import { type Post, posts } from '#web/content/posts.ts';
import { usePage } from '#web/lib/page.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { ContentPicture } from '#web/ui/site/content-picture.tsx';
import { Markdown } from '#web/ui/site/markdown.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { PostMeta } from './post-meta.tsx';

interface PostPageProps {
  post: Post;
  text: MarkdownModule;
}

/** One post, and links to the others. */
export function PostPage({ post, text: { default: Content } }: PostPageProps) {
  const heading = usePage(post.title);
  return (
    <SitePage>
      <div className="mx-auto max-w-3xl px-4 py-10 sm:px-6 sm:py-14">
        <article>
          <p className="text-sm">
            <SiteLink to="/blog" className={textLinkClass}>
              Blog
            </SiteLink>
          </p>
          <h1
            ref={heading}
            tabIndex={-1}
            className="mt-3 text-4xl leading-tight font-bold tracking-tight sm:text-5xl"
          >
            {post.title}
          </h1>
          <p className="mt-4 text-lg text-ink-soft">{post.description}</p>
          <PostMeta post={post} className="mt-4" />
          <ContentPicture
            name={post.picture}
            alt=""
            sizes="(min-width: 48rem) 45rem, 100vw"
            loading="eager"
            className="mt-8 aspect-[3/2] w-full rounded-card border border-line object-cover"
          />
          <Markdown content={Content} className="mt-8" />
        </article>
        <aside aria-labelledby="more-posts" className="mt-14 border-t border-line pt-6">
          <h2 id="more-posts" className="text-xl font-semibold">
            More posts
          </h2>
          <ul className="mt-2">
            {posts
              .filter(({ slug }) => slug !== post.slug)
              .map(({ slug, title }) => (
                <li key={slug}>
                  <SiteLink
                    to={`/blog/${slug}`}
                    className={`inline-flex min-h-11 items-center ${textLinkClass}`}
                  >
                    {title}
                  </SiteLink>
                </li>
              ))}
          </ul>
        </aside>
      </div>
    </SitePage>
  );
}
