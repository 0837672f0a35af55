import font from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import { planIds, plans } from '#contract';
import { faq } from '#web/content/faq.ts';
import { guides } from '#web/content/guides.ts';
import { posts, tagPath, tags } from '#web/content/posts.ts';
import { type SitePageInfo, sitePages } from '#web/lib/site-pages.ts';
import { openGraphCards } from '#web/pictures/open-graph.ts';
import { feedPath } from './feed.ts';
import { routePaths } from './routes.tsx';

interface PageHeadProps {
  path: string;
  /** Begins absolute addresses. */
  origin: string;
}

/** The head of a public page: what search engines and other sites show of it. */
export function PageHead({ path, origin }: PageHeadProps) {
  const { title, description } = pageInfo(path);
  return (
    <>
      <FontPreload />
      <title>{`${title} · Packshot`}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={origin + path} />
      <Card path={path} origin={origin} />
      {path.startsWith('/blog') && (
        <link rel="alternate" type="application/rss+xml" title="Packshot Blog" href={origin + feedPath} />
      )}
      {structuredData(path, origin).map((data) => (
        <script
          key={data['@type']}
          type="application/ld+json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON whose `<` cannot end the element
          dangerouslySetInnerHTML={{
            __html: JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c'),
          }}
        />
      ))}
    </>
  );
}

/** What other sites show beside a link (Open Graph; X reads `twitter:card`). */
function Card({ path, origin }: PageHeadProps) {
  const { title, description } = pageInfo(path);
  const isGuide = guides.some(({ slug }) => path === `/documentation/${slug}`);
  const isPost = posts.some(({ slug }) => path === `/blog/${slug}`);
  const { url, width, height, alt } = openGraphCards[isGuide || isPost ? 'guides' : 'default'];
  const properties = {
    'og:site_name': 'Packshot',
    'og:type': isGuide || isPost ? 'article' : 'website',
    'og:title': title,
    'og:description': description,
    'og:url': origin + path,
    'og:image': origin + url,
    'og:image:width': String(width),
    'og:image:height': String(height),
    'og:image:alt': alt,
  };
  return (
    <>
      {Object.entries(properties).map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** The head of the page for unknown addresses. */
export function NotFoundHead() {
  return (
    <>
      <FontPreload />
      <title>Page not found · Packshot</title>
      <meta name="robots" content="noindex" />
    </>
  );
}

/** The head of pages that show nothing without an account or the link of a mail. */
export function ShellHead() {
  return (
    <>
      <FontPreload />
      <title>Packshot</title>
      <meta name="robots" content="noindex" />
    </>
  );
}

/** All text has this font, so it is requested before the style sheet names it (src/ui/fonts.css). */
function FontPreload() {
  return <link rel="preload" as="font" type="font/woff2" crossOrigin="" href={font} />;
}

type Thing = { '@type': string } & Record<string, unknown>;

/**
 * What a page is about, as schema.org describes things.
 * @param origin begins absolute addresses
 */
function structuredData(path: string, origin: string): Thing[] {
  const organization = {
    '@type': 'Organization',
    name: 'Packshot',
    url: `${origin}/`,
    logo: `${origin}/icons/icon-512.png`,
  };
  if (path === '/') {
    const website = { '@type': 'WebSite', name: 'Packshot', url: `${origin}/` };
    return [organization, website, application(origin)];
  }
  if (path === '/faq') return [questions()];
  const guide = guides.find(({ slug }) => path === `/documentation/${slug}`);
  if (guide) return [breadcrumbs(origin, '/documentation', guide.title)];
  const post = posts.find(({ slug }) => path === `/blog/${slug}`);
  if (!post) return [];
  const posting = {
    '@type': 'BlogPosting',
    headline: post.title,
    description: post.description,
    datePublished: post.date,
    image: origin + openGraphCards.guides.url,
    mainEntityOfPage: origin + path,
    author: organization,
    publisher: organization,
  };
  return [posting, breadcrumbs(origin, '/blog', post.title)];
}

/** The product with the price of each plan a month. */
function application(origin: string): Thing {
  return {
    '@type': 'SoftwareApplication',
    name: 'Packshot',
    description: sitePages['/'].description,
    url: `${origin}/`,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Any',
    offers: planIds.map((id) => ({
      '@type': 'Offer',
      name: plans[id].name,
      price: (plans[id].monthlyPriceCents / 100).toFixed(2),
      priceCurrency: 'USD',
      url: `${origin}/signup?plan=${id}`,
    })),
  };
}

function questions(): Thing {
  return {
    '@type': 'FAQPage',
    mainEntity: faq.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}

/** The page above an article, and the article itself. */
function breadcrumbs(origin: string, parent: '/documentation' | '/blog', title: string): Thing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: sitePages[parent].title, item: origin + parent },
      { '@type': 'ListItem', position: 2, name: title },
    ],
  };
}

const infos = new Map<string, SitePageInfo>([
  ...Object.entries(sitePages),
  ...guides.map((guide) => [`/documentation/${guide.slug}`, guide] as const),
  ...posts.map((post) => [`/blog/${post.slug}`, post] as const),
  ...tags.map((tag) => {
    const title = `Posts about ${tag}`;
    return [tagPath(tag), { title, description: `What we wrote about ${tag}.` }] as const;
  }),
]);

/** Title and description of a public page. @throws for a path that has none */
function pageInfo(path: string): SitePageInfo {
  const info = infos.get(path);
  if (!info) throw new Error(`${path} has no title and description: add it to site-pages.ts`);
  return info;
}

/** Paths of the pages that the build renders: those with title and description. */
export const sitePaths: readonly string[] = routePaths.public.filter((path) => infos.has(path));

/** Paths of all other pages, which only the browser renders. */
export const appPaths: readonly string[] = [
  ...routePaths.public.filter((path) => !infos.has(path)),
  ...routePaths.protected,
];
