import { guides } from '#web/content/guides.ts';
import { posts, tagPath, tags } from '#web/content/posts.ts';
import { createPageCode, type PageCode } from './lazy-page.tsx';

/**
 * Pages that do not call the API, by path. One that is opened by its address runs without the router, whose code it does not
 * need: its links load the next document.
 */
export const sitePages: Readonly<Record<string, PageCode>> = {
  '/': createPageCode(async () => (await import('#web/features/landing/landing-page.tsx')).LandingPage),
  // The code of an article's page includes its text, so it appears complete. Each article has a path of its own, so an
  // unknown one is not found.
  '/about': createPageCode(async () => (await import('#web/features/about/about-page.tsx')).AboutPage),
  '/faq': createPageCode(async () => (await import('#web/features/faq/faq-page.tsx')).FaqPage),
  '/privacy': legalPage('/privacy', () => import('#web/content/privacy.md')),
  '/terms': legalPage('/terms', () => import('#web/content/terms.md')),
  '/documentation': createPageCode(
    async () => (await import('#web/features/documentation/documentation-page.tsx')).DocumentationPage,
  ),
  ...Object.fromEntries(guides.map((guide) => [`/documentation/${guide.slug}`, guidePage(guide)])),
  '/blog': createPageCode(async () => (await import('#web/features/blog/blog-page.tsx')).BlogPage),
  ...Object.fromEntries(posts.map((post) => [`/blog/${post.slug}`, postPage(post)])),
  ...Object.fromEntries(tags.map((tag) => [tagPath(tag), tagPage(tag)])),
};

function legalPage(path: '/privacy' | '/terms', load: (typeof guides)[number]['load']): PageCode {
  return createPageCode(async () => {
    const [{ LegalPage }, text] = await Promise.all([import('#web/features/legal/legal-page.tsx'), load()]);
    return () => <LegalPage path={path} text={text} />;
  });
}

function guidePage(guide: (typeof guides)[number]): PageCode {
  return createPageCode(async () => {
    const [{ GuidePage }, text] = await Promise.all([
      import('#web/features/documentation/guide-page.tsx'),
      guide.load(),
    ]);
    return () => <GuidePage guide={guide} text={text} />;
  });
}

function postPage(post: (typeof posts)[number]): PageCode {
  return createPageCode(async () => {
    const [{ PostPage }, text] = await Promise.all([import('#web/features/blog/post-page.tsx'), post.load()]);
    return () => <PostPage post={post} text={text} />;
  });
}

function tagPage(tag: string): PageCode {
  return createPageCode(async () => {
    const { TagPage } = await import('#web/features/blog/blog-page.tsx');
    return () => <TagPage tag={tag} />;
  });
}
