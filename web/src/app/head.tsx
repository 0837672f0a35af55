import headingFont from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import { guides } from '#web/content/guides.ts';
import { posts } from '#web/content/posts.ts';
import { openGraphCards } from '#web/pictures/open-graph.ts';
import { feedPath } from './feed.ts';
import { pageInfo } from './page-info.ts';
import { structuredData } from './structured-data.ts';

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

/** Headings are read first, so their font is requested before the style sheet names it (src/ui/fonts.css). */
function FontPreload() {
  return <link rel="preload" as="font" type="font/woff2" crossOrigin="" href={headingFont} />;
}
