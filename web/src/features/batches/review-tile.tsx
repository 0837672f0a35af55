import clsx from 'clsx';
import { Ban, Check, CircleAlert, ExternalLink, Hourglass, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type BatchImage, isolateName, pages } from '#contract';
import { Name } from '#web/ui/name.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { type ReviewImage, reviewName, reviewState } from './review-images.ts';

/** The address of an image in the studio. */
export const studioLink = (generationId: string) =>
  `${pages.dashboard}?${new URLSearchParams({ generation: generationId })}`;

interface ReviewTileProps {
  of: ReviewImage;
  /** Whether the Tab key stops at it. */
  focusable: boolean;
  onApprove: (approved: boolean) => void;
  /** Undefined while its batch is not ended. */
  onMakeAgain: (() => void) | undefined;
}

/** An image of a batch to look at, with what can be done with it. */
export function ReviewTile({ of, focusable, onApprove, onMakeAgain }: ReviewTileProps) {
  const { key, item, image } = of;
  const { state, generationId, thumbnailUrl, failure, againFailure, approved } = image;
  const name = reviewName(of);
  const tabIndex = focusable ? 0 : -1;
  const problem = failure ?? againFailure;
  const canMakeAgain = onMakeAgain && generationId !== null && state !== 'deleted';
  return (
    <article
      data-id={key}
      tabIndex={tabIndex}
      aria-label={`${isolateName(name)}: ${reviewState(image)}`}
      className="rounded-field"
    >
      <div
        className={clsx(
          'sweep relative grid aspect-square place-items-center overflow-hidden rounded-field',
          'after:absolute after:inset-0 after:rounded-field',
          approved ? 'after:border-3 after:border-good' : 'after:border after:border-line',
        )}
      >
        {thumbnailUrl ? (
          <img src={thumbnailUrl} alt="" loading="lazy" className="size-full object-cover" />
        ) : (
          <StateIcon state={state} />
        )}
        {approved && (
          <span className="absolute top-2 left-2 grid size-7 place-items-center rounded-full bg-good text-surface">
            <Check aria-hidden className="size-4" strokeWidth={3} />
          </span>
        )}
      </div>
      <Name className="mt-1.5 block truncate text-sm font-semibold">{name}</Name>
      {item.sku && item.name && <Name className="block truncate text-sm">{item.name}</Name>}
      <p
        className={clsx(
          'text-sm font-medium',
          approved ? 'text-good' : problem !== null || state === 'failed' ? 'text-danger' : 'text-ink-soft',
        )}
      >
        {reviewState(image)}
      </p>
      {problem !== null && <p className="mt-0.5 text-sm text-danger">{problem}</p>}
      {!thumbnailUrl && (
        <p dir="auto" className="line-clamp-2 text-left text-sm break-words text-ink-soft">
          {item.prompt}
        </p>
      )}
      <div className="mt-1.5 flex gap-1">
        {state === 'succeeded' && (
          <TileButton
            tabIndex={tabIndex}
            pressed={approved}
            className="flex-1"
            label={`Approve ${isolateName(name)}`}
            onClick={() => onApprove(!approved)}
          >
            <Check aria-hidden className="size-4 max-sm:hidden" />
            <span aria-hidden className="whitespace-nowrap">
              Approve
            </span>
          </TileButton>
        )}
        {canMakeAgain && (
          <TileButton tabIndex={tabIndex} label={`Make ${isolateName(name)} again`} onClick={onMakeAgain}>
            <RotateCcw aria-hidden className="size-4" />
          </TileButton>
        )}
        {generationId !== null && state !== 'deleted' && (
          <Link
            to={studioLink(generationId)}
            tabIndex={tabIndex}
            title="Open in the studio"
            aria-label={`Open ${isolateName(name)} in the studio`}
            className={tileButtonClass}
          >
            <ExternalLink aria-hidden className="size-4" />
          </Link>
        )}
      </div>
    </article>
  );
}

const tileButtonClass =
  'inline-flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-full border border-line px-2 text-[0.8125rem] font-semibold hover:border-line-strong hover:bg-sunken aria-pressed:border-good aria-pressed:text-good sm:min-h-9 sm:min-w-9';

interface TileButtonProps {
  label: string;
  tabIndex: number;
  pressed?: boolean;
  className?: string;
  onClick: () => void;
  children: ReactNode;
}

function TileButton({ label, tabIndex, pressed, className, onClick, children }: TileButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      tabIndex={tabIndex}
      onClick={onClick}
      className={clsx(tileButtonClass, className)}
    >
      {children}
    </button>
  );
}

function StateIcon({ state }: { state: BatchImage['state'] }) {
  if (state === 'queued' || state === 'running') return <Spinner className="text-accent" />;
  if (state === 'failed') return <CircleAlert aria-hidden className="size-6 text-danger" />;
  const Icon = state === 'cancelled' || state === 'deleted' ? Ban : Hourglass;
  return <Icon aria-hidden className="size-6 text-ink-soft" />;
}
