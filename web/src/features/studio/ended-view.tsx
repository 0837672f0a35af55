import { useMutation, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronRight, Columns2, RotateCcw, ShieldAlert, ShieldCheck, WandSparkles } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import {
  type GenerationSet,
  type GenerationView,
  generationFailures,
  generationSetSchema,
  paths,
} from '#contract';
import { callApi, messageOf, withReference } from '#web/lib/api.ts';
import { useDates } from '#web/lib/dates.ts';
import { refreshGeneration } from '#web/lib/generations.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { Button } from '#web/ui/button.tsx';
import type { OptionLimits } from '#web/ui/options/usable-options.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { ChangePanel } from './change-panel.tsx';
import { PromptDetails } from './prompt-details.tsx';
import { ResultPicture } from './result-picture.tsx';
import { actionsClass, belowClass, pictureClass } from './stage-areas.ts';

/**
 * Has an image made again at no charge. Idempotent: a repeated request gets the same generation.
 * @throws ApiError; REMAKE_NOT_OFFERED if its product match is not low, REMAKE_LIMIT if the month's are used up
 */
function remakeGeneration(id: string): Promise<GenerationSet> {
  return callApi('POST', paths.remake(id), generationSetSchema);
}

/** Has an image made again at no charge, and shows the new generation. */
function useRemake(onShow: (id: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: remakeGeneration,
    networkMode: 'online',
    onSuccess: async ({ generations }, id) => {
      for (const view of generations) cacheGeneration(client, view);
      // It offers no other one now.
      await refreshGeneration(client, id).catch(() => {});
      const [first] = generations;
      if (first) onShow(first.id);
    },
    onError: async (error, id) => {
      toastError(messageOf(error));
      await refreshGeneration(client, id).catch(() => {});
    },
  });
}

interface ResultViewProps {
  view: GenerationView;
  /** Above the picture. */
  strips: ReactNode;
  /** The takes of its set; empty if it is alone. */
  takes: readonly GenerationView[];
  onShow: (id: string) => void;
  /** The preview that was shown before, if any. */
  lastPreview: string | null;
  onClear: () => void;
  renderActions: (view: GenerationView, buttons: ReactNode) => ReactNode;
  /** Whether the plan allows an image. */
  canGenerate: boolean;
  optionLimits: OptionLimits;
}

/** The finished image, as the seller edited it, with its buttons. */
export function ResultView(props: ResultViewProps) {
  const { view, strips, takes, onShow, lastPreview, onClear, renderActions, canGenerate, optionLimits } =
    props;
  const dates = useDates();
  const [highlighted, setHighlighted] = useState(false);
  const [comparing, setComparing] = useState(false);
  const below = useRef<HTMLDivElement>(null);
  if (view.image === null) return null;
  const image = view.edits ?? view.image;
  const { match } = view;
  // An edited image may be cropped or turned.
  const area = highlighted && view.edits === null ? (match?.area ?? null) : null;
  const buttons = (
    <>
      <Button
        variant="secondary"
        aria-pressed={comparing}
        onClick={() => setComparing(!comparing)}
        className="px-4! aria-pressed:bg-sunken"
      >
        <Columns2 aria-hidden className="size-4.5" />
        Compare
      </Button>
      <Button
        variant="secondary"
        onClick={() => below.current?.querySelector<HTMLElement>('input[name=change]')?.focus()}
        className="px-4!"
      >
        <WandSparkles aria-hidden className="size-4.5" />
        Change
      </Button>
    </>
  );
  return (
    <>
      <div className={actionsClass}>
        {renderActions(view, buttons)}
        <Button variant="quiet" onClick={onClear} className="px-4!">
          Clear
        </Button>
      </div>
      <div className={pictureClass}>
        {strips}
        <ResultPicture
          view={view}
          image={image}
          takes={takes}
          onShow={onShow}
          lastPreview={lastPreview}
          area={area}
          comparing={comparing}
        />
      </div>
      <div ref={below} className={belowClass}>
        <p className="text-sm text-ink-soft">
          {image.width} × {image.height} px · {dates.dateTime(view.endedAt ?? view.createdAt)}
        </p>
        {/* It comes after the image: above, it would move the buttons while they are pressed. */}
        {match && <ProductMatch view={{ ...view, match }} onHighlight={setHighlighted} onShow={onShow} />}
        <ChangePanel
          view={{ ...view, image: view.image }}
          canGenerate={canGenerate}
          optionLimits={optionLimits}
          onShow={onShow}
        />
        <SceneAndPhotos view={view} />
      </div>
    </>
  );
}

interface NoImageViewProps {
  view: GenerationView;
  /** Above the picture. */
  strips: ReactNode;
  retrying: boolean;
  /** Null while the plan allows no image. */
  onRetry: (() => void) | null;
  onClear: () => void;
  actions: ReactNode;
}

/** A generation that failed or was cancelled. */
export function NoImageView({ view, strips, retrying, onRetry, onClear, actions }: NoImageViewProps) {
  const photo = view.photos[0];
  return (
    <>
      <div className={pictureClass}>
        {strips}
        <div className="grid items-center gap-5 rounded-card border border-line bg-surface p-4 sm:grid-cols-[14rem_minmax(0,1fr)] sm:p-6">
          {photo && (
            <img
              src={photo.url}
              alt=""
              className="sweep aspect-square w-full rounded-field border border-line object-contain max-sm:max-h-48"
            />
          )}
          <div className="grid max-w-xl gap-3">
            <p className={clsx('font-semibold', view.state === 'failed' && 'text-danger')}>
              {reasonText(view)}
            </p>
            {view.failure?.help && <p className="text-sm">{view.failure.help}</p>}
            <p className="text-sm text-ink-soft">
              {view.imageUsed ? 'It had a preview, so 1 image was used.' : 'No image was used.'}
            </p>
            <div className="flex flex-wrap gap-2">
              {onRetry && (
                <Button onClick={onRetry} disabled={retrying}>
                  <RotateCcw aria-hidden className="size-4" />
                  {retrying ? 'Getting your photos...' : 'Try again'}
                </Button>
              )}
              {actions}
              <Button variant="secondary" onClick={onClear}>
                Clear
              </Button>
            </div>
          </div>
        </div>
      </div>
      <div className={`${belowClass} mx-0!`}>
        <SceneAndPhotos view={view} />
      </div>
    </>
  );
}

function reasonText({ state, failure, imageUsed }: GenerationView): string {
  if (state === 'failed') {
    return withReference(failure?.message ?? generationFailures.GENERATION_FAILED, failure?.requestId);
  }
  return imageUsed ? 'You stopped this image.' : 'You cancelled this image.';
}

function SceneAndPhotos({ view }: { view: GenerationView }) {
  return (
    <details className="group text-sm">
      <summary className="inline-flex min-h-11 items-center gap-1.5 rounded-field font-semibold text-ink-soft hover:text-ink">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        Scene and photos
      </summary>
      <p dir="auto" className="mt-1 max-w-prose whitespace-pre-wrap">
        {view.prompt}
      </p>
      <ul className="mt-3 flex flex-wrap gap-2" aria-label="Photos">
        {view.photos.map(({ thumbnailUrl }, index) => (
          <li key={thumbnailUrl}>
            <img
              src={thumbnailUrl}
              alt={`${index + 1} of ${view.photos.length}`}
              className="size-16 rounded-field border border-line object-cover"
            />
          </li>
        ))}
      </ul>
      <PromptDetails view={view} />
    </details>
  );
}

type Level = NonNullable<GenerationView['match']>['level'];

const levels: Readonly<Record<Level, { label: string; hint: string }>> = {
  high: {
    label: 'high',
    hint: 'Shape, colours and label of your product are the same as in your photos.',
  },
  medium: {
    label: 'medium',
    hint: 'We could not compare every part of your product with your photos. Have a look at it before you use the image.',
  },
  low: {
    label: 'low: check the label',
    hint: 'Parts of your product may differ from your photos. Compare shape, colours and label before you use the image.',
  },
  unknown: {
    label: "can't tell from this photo",
    hint: 'The image shows another side than your photos. Compare it yourself, or add a photo of that side next time.',
  },
};

interface ProductMatchProps {
  view: GenerationView & { match: NonNullable<GenerationView['match']> };
  /** Shows or hides the matched area in the image. */
  onHighlight: (highlighted: boolean) => void;
  onShow: (id: string) => void;
}

/** Whether the image shows the product of the photos; a low match can be made again at no charge. */
function ProductMatch({ view, onHighlight, onShow }: ProductMatchProps) {
  const id = useId();
  const { level, area } = view.match;
  const showsArea = area !== null && view.edits === null;
  const { label, hint } = levels[level];
  const remake = useRemake(onShow);
  const Icon = level === 'low' || level === 'unknown' ? ShieldAlert : ShieldCheck;
  return (
    <section aria-labelledby={id} className="grid gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <button
          type="button"
          id={id}
          aria-describedby={`${id}-hint`}
          onPointerEnter={() => onHighlight(true)}
          onPointerLeave={() => onHighlight(false)}
          onFocus={() => onHighlight(true)}
          onBlur={() => onHighlight(false)}
          className={clsx(
            'inline-flex min-h-11 cursor-default items-center gap-2 rounded-full px-4 font-semibold',
            level === 'high' && 'bg-good-wash text-good',
            (level === 'medium' || level === 'unknown') && 'bg-sunken text-ink',
            level === 'low' && 'bg-danger-wash text-danger',
          )}
        >
          <Icon aria-hidden className="size-4.5 shrink-0" />
          Product match: {label}
        </button>
        {view.remake === 'offered' && (
          <Button variant="secondary" disabled={remake.isPending} onClick={() => remake.mutate(view.id)}>
            <RotateCcw aria-hidden className="size-4" />
            Make it again at no charge
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="max-w-prose text-ink-soft">
        {hint}
        {showsArea && ' Point at the result, or tap it, to see where we found your product.'}
      </p>
    </section>
  );
}
