import type { Article, MarkdownModule } from '#web/content/article.ts';
import { guides } from '#web/content/guides.ts';
import { usePage } from '#web/lib/page.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { Markdown } from '#web/ui/site/markdown.tsx';
import { OutlineDetails, OutlineNav } from '#web/ui/site/outline.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';

interface GuidePageProps {
  guide: Article;
  text: MarkdownModule;
}

/** One guide, with the list of all guides, its outline, and links to the guides before and after it. */
export function GuidePage({ guide, text: { default: Content, headings } }: GuidePageProps) {
  const heading = usePage(guide.title);
  return (
    <SitePage>
      <div className="mx-auto max-w-6xl gap-10 px-4 py-8 sm:px-6 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:py-12 xl:grid-cols-[12rem_minmax(0,1fr)_13rem]">
        <GuideList current={guide} />
        <article>
          <p className="text-sm text-ink-soft lg:hidden">
            <SiteLink to="/documentation" className={textLinkClass}>
              Documentation
            </SiteLink>
          </p>
          <h1
            ref={heading}
            tabIndex={-1}
            className="mt-2 text-4xl leading-tight font-bold tracking-tight lg:mt-0"
          >
            {guide.title}
          </h1>
          <p className="mt-3 max-w-[60ch] text-lg text-ink-soft">{guide.description}</p>
          <OutlineDetails headings={headings} className="mt-6 xl:hidden" />
          <Markdown content={Content} className="mt-8" />
          <Neighbours guide={guide} />
        </article>
        <OutlineNav headings={headings} className="hidden xl:block" />
      </div>
    </SitePage>
  );
}

function GuideList({ current }: { current: Article }) {
  return (
    <nav aria-label="Guides" className="sticky top-24 hidden self-start lg:block">
      <SiteLink to="/documentation" className="font-semibold hover:underline">
        Documentation
      </SiteLink>
      <ul className="mt-2 grid">
        {guides.map(({ slug, title }) => (
          <li key={slug}>
            <SiteLink
              to={`/documentation/${slug}`}
              aria-current={slug === current.slug ? 'page' : undefined}
              className="-ml-3 block rounded-field px-3 py-2 text-[0.9375rem] text-ink-soft hover:text-ink hover:underline aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {title}
            </SiteLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Neighbours({ guide }: { guide: Article }) {
  const index = guides.indexOf(guide);
  const links = [
    { label: 'Previous', guide: guides[index - 1] },
    { label: 'Next', guide: guides[index + 1] },
  ];
  return (
    <nav
      aria-label="Previous and next guide"
      className="mt-14 grid gap-4 border-t border-line pt-6 sm:grid-cols-2"
    >
      {links.map(
        ({ label, guide }) =>
          guide && (
            <SiteLink
              key={label}
              to={`/documentation/${guide.slug}`}
              className="group rounded-card border border-line bg-surface p-4 hover:border-line-strong sm:only:col-start-2 sm:odd:only:col-start-1 sm:even:text-right"
            >
              <span className="text-sm text-ink-soft">{label}</span>
              <span className="block font-semibold group-hover:underline">{guide.title}</span>
            </SiteLink>
          ),
      )}
    </nav>
  );
}
