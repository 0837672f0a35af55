import { Link } from 'react-router-dom';
import { pages, positionIds } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { textLinkClass } from '#web/ui/text-link.ts';
import { PositionCard } from './position-card.tsx';

const principles = [
  {
    title: 'Remote, in writing',
    text: 'We work from where we live. Decisions are written down with their reasons, so nobody has to have been in the room.',
  },
  {
    title: 'Small steps, finished',
    text: 'We ship small changes and finish them: tested, documented, and usable by everybody.',
  },
  {
    title: 'Honest images, exact bills',
    text: "An image shows the product as it is, and a seller pays for what was made. We don't trade either for growth.",
  },
] as const;

/** How we work, and the open positions with their forms. */
export function CareersPage() {
  const heading = usePage(sitePages['/careers'].title);
  return (
    <SitePage>
      <div className="mx-auto max-w-4xl px-4 py-12 sm:px-6 sm:py-16">
        <h1 ref={heading} tabIndex={-1} className="text-4xl font-bold tracking-tight sm:text-5xl">
          Work with us
        </h1>
        <p className="mt-4 max-w-2xl text-lg text-ink-soft">
          We're a small, remote team that helps online sellers show their products at their best. We're
          looking for people who care about getting the details right.
        </p>
        <ul className="mt-10 grid gap-x-8 gap-y-6 sm:grid-cols-3">
          {principles.map(({ title, text }) => (
            <li key={title}>
              <h2 className="font-semibold">{title}</h2>
              <p className="mt-1 text-ink-soft">{text}</p>
            </li>
          ))}
        </ul>
        <h2 id="positions" className="mt-14 scroll-mt-24 text-2xl font-bold">
          {positionIds.length} open positions
        </h2>
        <div className="mt-5 grid gap-4">
          {positionIds.map((id) => (
            <PositionCard key={id} id={id} />
          ))}
        </div>
        <p className="mt-10 text-ink-soft">
          Questions about a position?{' '}
          <Link to={pages.contact} className={textLinkClass}>
            Write to us
          </Link>
          .
        </p>
      </div>
    </SitePage>
  );
}
