import About from '#web/content/about.md';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { CompanySection } from '#web/ui/site/company-section.tsx';
import { Markdown } from '#web/ui/site/markdown.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';

/** Who makes Packshot and what it stands for. */
export function AboutPage() {
  const heading = usePage(sitePages['/about'].title);
  return (
    <SitePage>
      <article className="mx-auto max-w-3xl px-4 py-12 sm:px-6 sm:py-16">
        <h1 ref={heading} tabIndex={-1} className="text-4xl font-bold tracking-tight sm:text-5xl">
          About Packshot
        </h1>
        <Markdown content={About} className="mt-8" />
        <CompanySection />
      </article>
    </SitePage>
  );
}
