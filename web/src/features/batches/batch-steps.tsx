import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';

/** The steps to a batch; the last one, `run`, is the page of the batch itself. */
const steps = ['photos', 'scenes', 'check', 'run'] as const;
export type Step = Exclude<(typeof steps)[number], 'run'>;

/** The step that an address names; the first one without a name. */
export function stepOf(name: string | null): Step {
  return name === 'scenes' || name === 'check' ? name : 'photos';
}

const stepNames = { photos: 'Photos', scenes: 'Scenes', check: 'Check', run: 'Run' } as const;

/** Where the seller is on the way to a batch, and the way to the other steps. */
export function BatchSteps({ step, onStep }: { step: Step; onStep: (step: Step) => void }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap items-center sm:gap-2">
      {steps.map((name, index) => {
        const content = (
          <>
            <span
              aria-hidden
              className="grid size-6 place-items-center rounded-full border border-current text-xs tabular-nums max-sm:hidden"
            >
              {index + 1}
            </span>
            {stepNames[name]}
          </>
        );
        return (
          <li key={name}>
            {name === 'run' ? (
              <span className="inline-flex min-h-11 items-center gap-1.5 px-1.5 text-sm text-ink-soft sm:gap-2 sm:px-2">
                {content}
              </span>
            ) : (
              <button
                type="button"
                aria-current={name === step ? 'step' : undefined}
                onClick={() => onStep(name)}
                className="inline-flex min-h-11 items-center gap-1.5 rounded-full border border-transparent px-1.5 sm:gap-2 sm:px-2 text-sm font-semibold text-ink-soft hover:bg-sunken hover:text-ink aria-[current=step]:border-ink aria-[current=step]:bg-ink aria-[current=step]:pr-3 max-sm:aria-[current=step]:pl-3 aria-[current=step]:text-page"
              >
                {content}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface StepFooterProps {
  /** How many products and images there are. */
  summary: ReactNode;
  onBack?: () => void;
  next: { label: string; onClick: () => void };
}

/** Always in view: what there is so far, and the way on. */
export function StepFooter({ summary, onBack, next }: StepFooterProps) {
  return (
    <div className="sticky bottom-(--bottom-bar) z-10 -mx-4 mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-surface px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:mx-0 sm:rounded-card sm:border sm:px-5">
      {onBack && (
        <Button variant="quiet" onClick={onBack} className="-ml-3">
          <ArrowLeft aria-hidden className="size-4" />
          Back
        </Button>
      )}
      <p className="mr-auto text-sm max-sm:order-first max-sm:basis-full">{summary}</p>
      <Button onClick={next.onClick} className="max-sm:flex-1">
        {next.label}
      </Button>
    </div>
  );
}
