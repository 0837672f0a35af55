import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { SitemapStream, streamToPromise } from 'sitemap';
import { posts } from '#web/content/posts.ts';
import { App } from './app.tsx';
import { createFeed, feedPath } from './feed.ts';
import { NotFoundHead, PageHead, ShellHead, sitePaths } from './head.tsx';
import { LazyPage } from './lazy-page.tsx';
import { RoutedLinks } from './routed-pages.tsx';
import { AppRoutes, loadPage } from './routes.tsx';
import { sitePages } from './site-routes.tsx';

export { appPaths, sitePaths } from './head.tsx';

/**
 * Renders a public page.
 * @param origin begins absolute addresses
 * @returns markup for the document's head and for the app's root element
 */
export async function renderPage(path: string, origin: string) {
  await loadPage(path);
  return { head: renderToStaticMarkup(<PageHead path={path} origin={origin} />), body: renderBody(path) };
}

/** Renders the page for unknown addresses. */
export async function renderNotFound() {
  await loadPage('/404');
  return { head: renderToStaticMarkup(<NotFoundHead />), body: renderBody('/404') };
}

/** Renders the head of the pages that the browser renders. */
export function renderShell() {
  return { head: renderToStaticMarkup(<ShellHead />), body: '' };
}

/** Makes the files that are not pages. @returns them by path */
export async function renderFiles(origin: string) {
  return {
    [feedPath]: { content: createFeed(origin), type: 'application/rss+xml; charset=utf-8' },
    '/sitemap.xml': { content: await createSitemap(origin), type: 'application/xml; charset=utf-8' },
    '/robots.txt': { content: createRobots(origin), type: 'text/plain; charset=utf-8' },
  };
}

const renderBody = (path: string) => {
  const sitePage = sitePages[path];
  return renderToString(
    <App>
      {sitePage ? (
        <LazyPage code={sitePage} loading={null} />
      ) : (
        <StaticRouter location={path}>
          <RoutedLinks>
            <AppRoutes />
          </RoutedLinks>
        </StaticRouter>
      )}
    </App>,
  );
};

/** Every public page, for search engines; posts with their day. @param origin begins the addresses */
async function createSitemap(origin: string): Promise<string> {
  const stream = new SitemapStream({ hostname: origin });
  for (const url of sitePaths) {
    const post = posts.find(({ slug }) => url === `/blog/${slug}`);
    stream.write(post ? { url, lastmod: post.date } : { url });
  }
  stream.end();
  return String(await streamToPromise(stream));
}

/** What search engines may read: pages that need an account say `noindex` themselves. */
function createRobots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`;
}
