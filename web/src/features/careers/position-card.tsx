import { ChevronDown, MailCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type PositionId, positions } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Name } from '#web/ui/name.tsx';
import { ApplicationForm } from './application-form.tsx';
import { openPositions } from './open-positions.ts';

/** A position: its title, and its description and the form when it is open. `/careers#<id>` opens it. */
export function PositionCard({ id }: { id: PositionId }) {
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
