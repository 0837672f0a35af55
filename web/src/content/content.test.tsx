/** The texts of the site: their lists, what they link to, and the pictures and numbers that they show. */
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { pages, paths, planTable, v1Paths } from '#contract';
import { sitePages } from '#web/lib/site-pages.ts';
import { guidePictures } from '#web/pictures/guides.ts';
import { Markdown } from '#web/ui/site/markdown.tsx';
import type { MarkdownModule } from './article.ts';
import { faq } from './faq.ts';
import { guides } from './guides.ts';
import { posts, tagPath, tags } from './posts.ts';

const articles = [...guides, ...posts];

/** How each Markdown file is loaded, by the path of its page. */
const files: Record<string, () => Promise<MarkdownModule>> = {
  '/about': () => import('./about.md'),
  '/privacy': () => import('./privacy.md'),
  '/terms': () => import('./terms.md'),
  ...Object.fromEntries(guides.map(({ slug, load }) => [`/documentation/${slug}`, load])),
  ...Object.fromEntries(posts.map(({ slug, load }) => [`/blog/${slug}`, load])),
};

/** The rendered texts by path. */
const html: Record<string, string> = {};
beforeAll(async () => {
  for (const [path, load] of Object.entries(files)) {
    const { default: content } = await load();
    html[path] = renderToStaticMarkup(<Markdown content={content} />);
  }
});

/** What is wrong in the texts, each with the path of its page. @param find what is wrong in one */
const violations = (find: (text: string, path: string) => string[]) =>
  Object.entries(html).flatMap(([path, text]) =>
    find(text, path).map((violation) => `${path}: ${violation}`),
  );

const matchesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

describe('lists', () => {
  test('there are fourteen guides, at least four posts and ten questions', () => {
    expect(guides.map(({ slug }) => slug)).toEqual([
      'first-image',
      'photos-that-work',
      'scenes-that-work',
      'plans-and-balance',
      'batches',
      'exports',
      'billing',
      'security',
      'first-image-with-the-api',
      'more-with-the-api',
      'webhooks',
      'batches-with-the-command',
      'going-live-with-the-api',
      'api',
    ]);
    expect(posts.length).toBeGreaterThanOrEqual(4);
    expect(faq).toHaveLength(10);
  });

  test('every article has a title, a short description and a picture', () => {
    const expected = {
      slug: expect.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/),
      title: expect.stringMatching(/^.{3,}$/),
      description: expect.stringMatching(/^.{41,160}$/),
      picture: expect.toBeOneOf(Object.keys(guidePictures)),
    };
    expect(articles).toEqual(articles.map(() => expect.objectContaining(expected)));
  });

  test('no two articles and no two questions have the same address', () => {
    for (const ids of [
      guides.map(({ slug }) => slug),
      posts.map(({ slug }) => slug),
      faq.map(({ id }) => id),
    ]) {
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(new Set(tags.map(tagPath)).size).toBe(tags.length);
  });

  test('posts are sorted by date, newest first, and none is from the future', () => {
    const dates = posts.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
    for (const date of dates) {
      expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
      expect(Date.parse(date)).toBeLessThan(Date.now());
    }
    for (const post of posts) expect(post.tags.length).toBeGreaterThan(0);
  });

  test('every post has more than 500 and fewer than 1,000 words', () => {
    const found = violations((text, path) => {
      const words = text.replaceAll(/<[^>]*>/g, ' ').match(/\p{L}+/gu) ?? [];
      const isAsLong = words.length > 500 && words.length < 1_000;
      return !path.startsWith('/blog/') || isAsLong ? [] : [`${words.length} words`];
    });
    expect(found).toEqual([]);
  });
});

describe('texts', () => {
  test('they name only facts that exist, outside of code', () => {
    const found = violations(
      (text) => text.replaceAll(/<(pre|code)[^>]*>.*?<\/\1>/gs, '').match(/[^<>]*[{}]/g) ?? [],
    );
    expect(found).toEqual([]);
  });

  test('browsers do not translate code', () => {
    const found = violations((text) => text.match(/<(?:pre|code)\b(?![^>]* translate="no")[^>]*>/g) ?? []);
    expect(found).toEqual([]);
  });

  test('every picture has a text alternative', () => {
    const found = violations((text) =>
      (text.match(/<img[^>]*>/g) ?? []).filter((image) => !/ alt="[^"]{5,}"/.test(image)),
    );
    expect(found).toEqual([]);
  });

  test('every guide and post that explains photos or scenes shows pictures', () => {
    for (const path of [
      '/documentation/first-image',
      '/documentation/photos-that-work',
      '/documentation/scenes-that-work',
    ])
      expect(html[path]).toContain('<img');
  });
});

describe('links', () => {
  const known = new Set<string>([
    ...Object.keys(sitePages),
    ...Object.values(pages),
    '/signup',
    paths.docs,
    `${paths.docs}/json`,
    v1Paths.document,
    ...Object.keys(files),
    ...tags.map(tagPath),
  ]);

  /** What a link of ours leads to that does not exist; undefined if all of it does. */
  function missingOf(link: string, from: string): string | undefined {
    const { pathname, hash } = new URL(link, `http://packshot.test${from}`);
    if (!known.has(pathname)) return link;
    const id = hash.slice(1);
    const target = html[pathname];
    return id === '' || target === undefined || target.includes(` id="${id}"`) ? undefined : link;
  }

  test('texts link to pages and headings that exist', () => {
    const missing = violations((text, path) =>
      matchesOf(text, / href="([^"]*)"/g).filter(
        (link) => !link.startsWith('https://') && missingOf(link, path) !== undefined,
      ),
    );
    expect(missing).toEqual([]);
  });

  test('so do the questions', () => {
    expect(faq.map(({ link }) => missingOf(link.to, '/faq')).filter(Boolean)).toEqual([]);
  });

  test('the outline of a guide has its second-level headings', async () => {
    for (const { slug, load } of guides) {
      const { headings } = await load();
      const ids = matchesOf(html[`/documentation/${slug}`]!, /<h2 id="([^"]*)"/g);
      expect(headings.map(({ id }) => id)).toEqual(ids);
      for (const { text } of headings) expect(text.length).toBeGreaterThan(2);
    }
  });

  test('the free images, and every feature of a plan, have the section of a guide that is linked', () => {
    const links = Object.values(planTable).flatMap(({ features }) => features.map(({ guide }) => guide));
    for (const link of [...links, '/documentation/plans-and-balance#free-images']) {
      const [path, section] = link.split('#');
      expect(html[path!]).toContain(` id="${section}"`);
    }
  });
});
