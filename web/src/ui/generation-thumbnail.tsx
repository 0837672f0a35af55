import clsx from 'clsx';
import { Ban, CircleAlert, Star } from 'lucide-react';
import { type GenerationView, hasEnded } from '#contract';
import { Spinner } from './spinner.tsx';

/** Each state in words. */
export const stateLabels: Readonly<Record<GenerationView['state'], string>> = {
  queued: 'In the queue',
  running: 'In progress',
  succeeded: 'Created',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** What became of a generation, in words. */
export function generationLabel({ state, imageUsed }: GenerationView): string {
  return state === 'cancelled' && imageUsed ? 'Stopped · 1 image used' : stateLabels[state];
}

/** The image or, without one, the first photo with an icon of the state; in an element of class `group`. */
export function GenerationThumbnail({ view, current }: { view: GenerationView; current: boolean }) {
  const url = view.edits?.thumbnailUrl ?? view.image?.thumbnailUrl ?? view.photos[0]?.thumbnailUrl;
  const succeeded = view.state === 'succeeded';
  return (
    <span
      className={clsx(
        'sweep relative block aspect-square overflow-hidden rounded-field border outline-offset-2',
        current
          ? 'border-transparent outline-2 outline-accent'
          : 'border-line group-hover:border-line-strong',
      )}
    >
      {url && (
        <img
          src={url}
          alt=""
          loading="lazy"
          className={clsx('size-full object-cover', !succeeded && 'opacity-40 grayscale-50')}
        />
      )}
      {view.favourite && (
        <span className="absolute top-1.5 right-1.5 grid size-7 place-items-center rounded-full bg-surface text-accent shadow-card">
          <Star aria-hidden className="size-4 fill-current" />
          <span className="sr-only">Favourite</span>
        </span>
      )}
      {!succeeded && (
        <span className="absolute inset-0 grid place-items-center">
          <span className="grid size-9 place-items-center rounded-full bg-surface shadow-card">
            <StateIcon state={view.state} />
          </span>
        </span>
      )}
    </span>
  );
}

function StateIcon({ state }: Pick<GenerationView, 'state'>) {
  if (!hasEnded(state)) return <Spinner className="text-accent" />;
  if (state === 'failed') return <CircleAlert aria-hidden className="size-4.5 text-danger" />;
  return <Ban aria-hidden className="size-4.5 text-ink-soft" />;
}
