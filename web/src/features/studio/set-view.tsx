import clsx from 'clsx';
import { Download, RotateCcw } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { downloadName, type GenerationView, generationFailures, hasEnded } from '#contract';
import { withReference } from '#web/lib/api.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CrossfadeImage } from '#web/ui/crossfade-image.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TimeLeft } from '#web/ui/time-left.tsx';
import { usePreview } from './api.ts';
import { isSetPending, progressOfSet, progressText, takeName } from './progress-text.ts';
import { actionsClass, pictureClass } from './stage-areas.ts';
import { StopButton } from './stop-button.tsx';

export interface SetActions {
  onShow: (id: string) => void;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (id: string, useImage: boolean) => void;
  /** Null while the plan allows no image, or while another one is being tried again. */
  onRetry: ((view: GenerationView) => void) | null;
  onClear: () => void;
  /** The buttons of the set, once it is finished. */
  actions: ReactNode;
}

interface SetViewProps extends SetActions {
  takes: readonly GenerationView[];
  cancelling: boolean;
}

/** The takes of a set, which fill in as they are made. */
export function SetView({ takes, cancelling, onShow, onCancel, onRetry, onClear, actions }: SetViewProps) {
  // Where a preview is visible, stopping uses an image: each of those has its own button, which says so.
  const free = takes.filter(({ state, previewUrl }) => !hasEnded(state) && previewUrl === null);
  const [first] = takes;
  const ratio = first ? first.options.width / first.options.height : 1;
  return (
    <>
      <div className={clsx(actionsClass, 'max-sm:order-2!')}>
        {!isSetPending(takes) && actions}
        {free.length > 1 && (
          <Button
            variant="secondary"
            disabled={cancelling}
            onClick={() => {
              for (const { id } of free) onCancel(id, false);
            }}
          >
            Cancel {free.length} images
          </Button>
        )}
        <Button variant="quiet" onClick={onClear}>
          {isSetPending(takes) ? 'Start another' : 'Clear'}
        </Button>
      </div>
      <div className={pictureClass}>
        <p className="mb-3 text-sm text-ink-soft">{progressOfSet(takes)}</p>
        <ul
          style={{ '--frame-ratio': ratio } as CSSProperties}
          className={clsx(
            'grid w-full grid-cols-2 items-start gap-3 sm:gap-4',
            takes.length === 3 && 'lg:grid-cols-3',
            takes.length > 3 && 'lg:grid-cols-4',
            takes.length === 2 && 'max-w-4xl',
          )}
        >
          {takes.map((view) => (
            <TakeTile
              key={view.id}
              view={view}
              cancelling={cancelling}
              onShow={() => onShow(view.id)}
              onCancel={(useImage) => onCancel(view.id, useImage)}
              onRetry={onRetry && (() => onRetry(view))}
            />
          ))}
        </ul>
      </div>
    </>
  );
}

interface TakeTileProps {
  view: GenerationView;
  cancelling: boolean;
  onShow: () => void;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (useImage: boolean) => void;
  /** Null while the plan allows no image. */
  onRetry: (() => void) | null;
}

const frameClass = 'sweep relative block aspect-(--frame-ratio) w-full overflow-hidden rounded-field';

/** A take in the grid of its set: its image, how far it is, or why there is none. */
function TakeTile({ view, cancelling, onShow, onCancel, onRetry }: TakeTileProps) {
  const preview = usePreview(view);
  const image = view.edits ?? view.image;
  const name = takeName(view);
  return (
    <li aria-label={name} className="grid grid-cols-1 gap-2">
      {image ? (
        <button
          type="button"
          onClick={onShow}
          aria-label={`Show ${name.toLowerCase()}`}
          className={clsx(frameClass, 'ring-1 ring-line hover:ring-2 hover:ring-accent')}
        >
          <CrossfadeImage url={image.url} initialUrl={preview} alt="" className="size-full" />
        </button>
      ) : (
        <div className={frameClass}>
          <Picture view={view} preview={preview} />
        </div>
      )}
      <TakeActions view={view} cancelling={cancelling} onCancel={onCancel} onRetry={onRetry} />
    </li>
  );
}

/** The newest preview or, without one, the first photo. */
function Picture({ view, preview }: { view: GenerationView; preview: string | null }) {
  const ended = hasEnded(view.state);
  const url = (ended ? null : preview) ?? view.photos[0]?.url;
  return (
    <>
      {url && (
        <CrossfadeImage
          url={url}
          alt=""
          className={clsx(
            'size-full',
            url !== preview && 'opacity-40 grayscale',
            !ended && url !== preview && 'blur-md',
          )}
        />
      )}
      {!ended && (
        <span className="absolute inset-0 grid place-items-center">
          <span className="grid size-10 place-items-center rounded-full bg-surface shadow-card">
            <Spinner className="text-accent" />
          </span>
        </span>
      )}
    </>
  );
}

function TakeActions({ view, cancelling, onCancel, onRetry }: Omit<TakeTileProps, 'onShow'>) {
  if (view.image) {
    return (
      <>
        {view.match && <MatchLine level={view.match.level} />}
        <a
          href={(view.edits ?? view.image).downloadUrl}
          download={downloadName(view.productName, view.createdAt)}
          aria-label={`Download ${takeName(view).toLowerCase()}`}
          className={buttonClass('secondary', 'px-4! text-sm!')}
        >
          <Download aria-hidden className="size-4" />
          Download
        </a>
      </>
    );
  }
  if (!hasEnded(view.state)) {
    return (
      <>
        <p className="text-sm text-ink-soft">
          {progressText(view)}
          {view.timeLeft && (
            <span className="block text-xs">
              <TimeLeft times={view.timeLeft} />
            </span>
          )}
        </p>
        <StopButton compact usesImage={view.previewUrl !== null} stopping={cancelling} onStop={onCancel} />
      </>
    );
  }
  return (
    <>
      <p className={clsx('text-sm font-medium', view.state === 'failed' && 'text-danger')}>{endText(view)}</p>
      {onRetry && (
        <Button variant="secondary" onClick={onRetry} className="px-4! text-sm!">
          <RotateCcw aria-hidden className="size-4" />
          Try again
        </Button>
      )}
    </>
  );
}

const matchTexts = {
  high: { text: 'Product match: high', className: 'text-good' },
  medium: { text: 'Product match: medium', className: 'text-ink-soft' },
  low: { text: 'Product match: low. Please compare the label', className: 'text-danger' },
  unknown: { text: "Product match: can't tell from this photo", className: 'text-ink-soft' },
} as const;

function MatchLine({ level }: { level: keyof typeof matchTexts }) {
  const { text, className } = matchTexts[level];
  return <p className={clsx('text-sm font-medium', className)}>{text}</p>;
}

function endText({ state, failure, imageUsed }: GenerationView): string {
  if (state === 'failed') {
    const { message, help } = failure ?? { message: generationFailures.GENERATION_FAILED, help: null };
    const texts = [message, help, 'No image was used.'].filter((text) => text !== null);
    return withReference(texts.map((text) => text.replace(/\.?$/, '.')).join(' '), failure?.requestId);
  }
  return imageUsed ? 'Stopped. 1 image was used.' : 'Cancelled. No image was used.';
}
