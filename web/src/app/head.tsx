import { feedPath } from './feed.ts';
import { pageInfo } from './page-info.ts';

/** The head of a public page: title, description and the address that search engines list. */
export function PageHead({ path, origin }: { path: string; origin: string }) {
  const { title, description } = pageInfo(path);
  return (
    <>
      <title>{`${title} · Packshot`}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={origin + path} />
      {path.startsWith('/blog') && (
        <link rel="alternate" type="application/rss+xml" title="Packshot Blog" href={origin + feedPath} />
      )}
    </>
  );
}

/** The head of the page for unknown addresses. */
export function NotFoundHead() {
  return (
    <>
      <title>Page not found · Packshot</title>
      <meta name="robots" content="noindex" />
    </>
  );
}

/** The head of pages that show nothing without an account or the link of a mail. */
export function ShellHead() {
  return (
    <>
      <title>Packshot</title>
      <meta name="robots" content="noindex" />
    </>
  );
}
