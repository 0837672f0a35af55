import type { MarkdownModule } from '#web/content/article.ts';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { CompanySection } from '#web/ui/site/company-section.tsx';
import { Markdown } from '#web/ui/site/markdown.tsx';
import { OutlineDetails, OutlineNav } from '#web/ui/site/outline.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';

interface LegalPageProps {
  path: '/privacy' | '/terms';
  text: MarkdownModule;
}

/** The Privacy Policy or the Terms of Service, with an outline. */
export function LegalPage({ path, text: { default: Content, headings } }: LegalPageProps) {
  const { title, description } = sitePages[path];
  const heading = usePage(title);
  return (
    <SitePage>
      <div className="mx-auto max-w-5xl gap-12 px-4 py-10 sm:px-6 sm:py-14 lg:grid lg:grid-cols-[minmax(0,1fr)_15rem]">
        <article>
          <h1 ref={heading} tabIndex={-1} className="text-4xl font-bold tracking-tight sm:text-5xl">
            {title}
          </h1>
          <p className="mt-3 text-lg text-ink-soft">{description}</p>
          <p className="mt-2 text-sm text-ink-soft">
            In effect since <time dateTime="2025-05-15">May 15, 2025</time>
          </p>
          <OutlineDetails headings={headings} className="mt-6 lg:hidden" />
          <Markdown content={Content} className="mt-8" />
          <CompanySection />
        </article>
        <OutlineNav headings={headings} className="hidden lg:block" />
      </div>
    </SitePage>
  );
}
