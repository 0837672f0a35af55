import { ArrowRight } from 'lucide-react';
import { faq } from '#web/content/faq.ts';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { Section } from './section.tsx';

/** The first questions of `/faq`, with their answers. */
export function FaqTeaser() {
  return (
    <Section id="questions" title="Frequently asked questions" band>
      <dl className="grid gap-x-14 gap-y-9 md:grid-cols-2">
        {faq.slice(0, 4).map(({ id, question, answer }) => (
          <div key={id} className="border-t border-line pt-5">
            <dt className="text-lg font-semibold">{question}</dt>
            <dd className="mt-2 leading-relaxed text-ink-soft">{answer}</dd>
          </div>
        ))}
      </dl>
      <SiteLink to="/faq" className={`${textLinkClass} mt-10 inline-flex min-h-11 items-center gap-2`}>
        All questions and answers
        <ArrowRight aria-hidden className="size-4.5" />
      </SiteLink>
    </Section>
  );
}
