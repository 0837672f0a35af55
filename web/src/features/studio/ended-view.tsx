import clsx from 'clsx';
import { ChevronRight, Columns2, RotateCcw, WandSparkles } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type GenerationView, generationFailures } from '#contract';
import { withReference } from '#web/lib/api.ts';
import { createComponentCode } from '#web/lib/component-code.ts';
import { useDates } from '#web/lib/dates.ts';
import { useSingleKeys } from '#web/lib/single-keys.ts';
import { Button } from '#web/ui/button.tsx';
import type { OptionLimits } from '#web/ui/options/usable-options.ts';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';
import { ChangePanel } from './change-panel.tsx';
import { ProductMatch } from './product-match.tsx';
import { PromptDetails } from './prompt-details.tsx';
import { ResultPicture } from './result-picture.tsx';
import type { OpensWith } from './set-view.tsx';
import { actionsClass, belowClass, belowStartClass, pictureClass } from './stage-areas.ts';

interface ResultViewProps {
  view: GenerationView;
  /** Above the picture. */
  strips: ReactNode;
  /** The takes of its set; empty if it is alone. */
  takes: readonly GenerationView[];
  onShow: (id: string) => void;
  /** The preview that was shown before, if any. */
  lastPreview: string | null;
  /** What is done with it at once. */
  opensWith: OpensWith | undefined;
  onClear: () => void;
  renderActions: (view: GenerationView, buttons: ReactNode) => ReactNode;
  /** Whether the plan allows an image. */
  canGenerate: boolean;
  optionLimits: OptionLimits;
}

const compareCode = createComponentCode(async () => (await import('./compare-view.tsx')).CompareView);

/** The finished image, as the seller edited it, with its buttons. */
export function ResultView(props: ResultViewProps) {
  const { view, strips, takes, onShow, lastPreview, onClear, renderActions, canGenerate, optionLimits } =
    props;
  const dates = useDates();
  const [highlighted, setHighlighted] = useState(false);
  const { Dialog: CompareView, ...comparison } = useLoadedDialog(compareCode);
  const comparing = CompareView !== undefined;
  const actions = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const change = () => below.current?.querySelector<HTMLElement>('input[name=change]')?.focus();
  const toggleComparison = comparing ? comparison.close : comparison.show;
  const open = useEffectEvent(() => {
    if (props.opensWith === 'compare') comparison.show();
    if (props.opensWith === 'change') change();
  });
  useEffect(() => open(), []);
  useSingleKeys({
    c: toggleComparison,
    d: () => actions.current?.querySelector<HTMLElement>('a[download]')?.click(),
  });
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
        aria-keyshortcuts="C"
        onClick={toggleComparison}
        onPointerEnter={comparison.preload}
        onFocus={comparison.preload}
        className="px-4! aria-pressed:bg-sunken"
      >
        <Columns2 aria-hidden className="size-4.5" />
        Compare
      </Button>
      <Button variant="secondary" onClick={change} className="px-4!">
        <WandSparkles aria-hidden className="size-4.5" />
        Change
      </Button>
    </>
  );
  return (
    <>
      <div ref={actions} className={actionsClass}>
        {renderActions(view, buttons)}
        <Button variant="quiet" onClick={onClear} className="px-4!">
          Clear
        </Button>
      </div>
      <div className={pictureClass}>
        {strips}
        {CompareView ? (
          <CompareView view={view} />
        ) : (
          <ResultPicture
            view={view}
            image={image}
            takes={takes}
            onShow={onShow}
            lastPreview={lastPreview}
            area={area}
          />
        )}
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
      <div className={belowStartClass}>
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
