import { ChevronDown, MailCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { type PositionId, pages, positionIds, positions } from '#contract';
import { usePage } from '#web/lib/page.ts';
import { sitePages } from '#web/lib/site-pages.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { Name } from '#web/ui/name.tsx';
import { SitePage } from '#web/ui/site/site-page.tsx';
import { ApplicationForm } from './application-form.tsx';
import { openPositions } from './open-positions.ts';

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

/** A position: its title, and its description and the form when it is open. `/careers#<id>` opens it. */
function PositionCard({ id }: { id: PositionId }) {
  const { team, summary, tasks, helpful } = openPositions[id];
  return (
    <details id={id} className="group scroll-mt-24 rounded-card border border-line bg-surface shadow-card">
      <summary className="flex list-none items-center justify-between gap-4 rounded-card p-5 sm:px-7 [&::-webkit-details-marker]:hidden">
        <div>
          <h3 className="text-xl font-semibold">{positions[id]}</h3>
          <p className="mt-0.5 text-ink-soft">{team} · Full-time · Remote</p>
        </div>
        <ChevronDown aria-hidden className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid gap-5 border-t border-line p-5 sm:p-7">
        <p className="text-lg">{summary}</p>
        <Points title="What you'll do" points={tasks} />
        <Points title="What helps" points={helpful} />
        <Apply id={id} />
      </div>
    </details>
  );
}

function Points({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <div>
      <h4 className="font-semibold">{title}</h4>
      <ul className="mt-1.5 grid list-disc gap-1.5 pl-5 marker:text-ink-soft">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </div>
  );
}

type Step = { step: 'button' | 'form' } | { step: 'sent'; email: string };

/** The button, then the form, then that it was sent. */
function Apply({ id }: { id: PositionId }) {
  const [state, setState] = useState<Step>({ step: 'button' });
  const applyButton = useRef<HTMLButtonElement>(null);
  const cancelled = useRef(false);
  useEffect(() => {
    if (state.step === 'button' && cancelled.current) applyButton.current?.focus();
  }, [state]);
  if (state.step === 'sent') return <ApplicationSent email={state.email} />;
  if (state.step === 'form') {
    return (
      <section aria-label={`Apply as ${positions[id]}`} className="border-t border-line pt-6">
        <ApplicationForm
          position={id}
          onSent={(email) => setState({ step: 'sent', email })}
          onCancel={() => {
            cancelled.current = true;
            setState({ step: 'button' });
          }}
        />
      </section>
    );
  }
  return (
    <Button
      ref={applyButton}
      aria-label={`Apply as ${positions[id]}`}
      onClick={() => setState({ step: 'form' })}
      className="justify-self-start"
    >
      Apply
    </Button>
  );
}

/** After an application was sent. It gets the focus, so that screen readers announce it. */
function ApplicationSent({ email }: { email: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex gap-4 rounded-field bg-good-wash p-5">
      <MailCheck aria-hidden className="size-6 shrink-0 text-good" />
      <div>
        <h4 ref={heading} tabIndex={-1} className="scroll-mt-24 font-semibold outline-none">
          Application sent
        </h4>
        <p className="mt-1">
          Thanks for applying. We've received your CV and will answer to{' '}
          <strong>
            <Name>{email}</Name>
          </strong>
          .
        </p>
      </div>
    </div>
  );
}
