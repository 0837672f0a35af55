import { ChevronDown } from 'lucide-react';
import { faq } from '#web/content/faq.ts';
import type { FaqEntry } from '#web/content/first-questions.ts';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';

/** Questions and answers; one is open at a time, at first the first. `/faq#<id>` opens that question. */
export function FaqPage() {
  const heading = usePage(sitePages['/faq'].title);
  return (
    <SitePage>
      <div className="mx-auto max-w-3xl px-4 py-12 sm:px-6 sm:py-16">
        <h1 ref={heading} tabIndex={-1} className="text-4xl font-bold tracking-tight sm:text-5xl">
          {sitePages['/faq'].title}
        </h1>
        <div className="mt-8 grid gap-3">
          {faq.map((entry, index) => (
            <Question key={entry.id} entry={entry} openAtFirst={index === 0} />
          ))}
        </div>
        <p className="mt-10 text-ink-soft">
          Another question?{' '}
          <SiteLink to="/contact" className={textLinkClass}>
            Write to us
          </SiteLink>
          .
        </p>
      </div>
    </SitePage>
  );
}

interface QuestionProps {
  entry: FaqEntry;
  openAtFirst: boolean;
}

function Question({ entry: { id, question, answer, link }, openAtFirst }: QuestionProps) {
  return (
    <details
      id={id}
      name="faq"
      open={openAtFirst}
      className="group scroll-mt-24 rounded-card border border-line bg-surface px-5"
    >
      <summary className="flex list-none items-center justify-between gap-4 py-4 [&::-webkit-details-marker]:hidden">
        <h2 className="text-lg font-semibold">{question}</h2>
        <ChevronDown aria-hidden className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <div className="pb-5 leading-relaxed">
        <p>{answer}</p>
        <p className="mt-3 flex flex-wrap gap-x-6">
          {link && (
            <SiteLink to={link.to} className={textLinkClass}>
              {link.label}
            </SiteLink>
          )}
          <SiteLink to={`#${id}`} className={textLinkClass}>
            Link to this answer
          </SiteLink>
        </p>
      </div>
    </details>
  );
}
