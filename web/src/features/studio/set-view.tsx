import clsx from 'clsx';
import { Download, RotateCcw } from 'lucide-react';
import type { CSSProperties } from 'react';
import { downloadName, type GenerationView, generationFailures, hasEnded } from '#contract';
import { withReference } from '#web/lib/api.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CrossfadeImage } from '#web/ui/crossfade-image.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TimeLeft } from '#web/ui/time-left.tsx';
import { usePreview } from './api.ts';
import { isSetPending, progressOfSet, progressText, takeName } from './progress-text.ts';
import { StopButton } from './stop-button.tsx';

export interface SetActions {
  onShow: (id: string) => void;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (id: string, useImage: boolean) => void;
  /** Null while the plan allows no image, or while another one is being tried again. */
  onRetry: ((view: GenerationView) => void) | null;
  onClear: () => void;
}

interface SetViewProps extends SetActions {
  takes: readonly GenerationView[];
  cancelling: boolean;
}

/** The takes of a set, which fill in as they are made. */
export function SetView({ takes, cancelling, onShow, onCancel, onRetry, onClear }: SetViewProps) {
  // Where a preview is visible, stopping uses an image: each of those has its own button, which says so.
  const free = takes.filter(({ state, previewUrl }) => !hasEnded(state) && previewUrl === null);
  const [first] = takes;
  const ratio = first ? first.options.width / first.options.height : 1;
  return (
    <div className="grid gap-5">
      <ul
        style={{ '--frame-ratio': ratio } as CSSProperties}
        className="mx-auto grid w-full max-w-[calc(max(16rem,100dvh-14rem-var(--panel-top,5rem))*var(--frame-ratio))] grid-cols-2 items-start gap-3 sm:gap-4"
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
      <div className="flex flex-wrap items-center gap-2">
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
        <Button variant={isSetPending(takes) ? 'quiet' : 'secondary'} onClick={onClear}>
          {isSetPending(takes) ? 'Start another' : 'Clear'}
        </Button>
        <span className="text-sm text-ink-soft sm:ml-auto">{progressOfSet(takes)}</span>
      </div>
    </div>
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
        {view.match?.level === 'low' && (
          <p className="text-sm font-medium text-danger">Product match: low: check the label</p>
        )}
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

function endText({ state, failure, imageUsed }: GenerationView): string {
  if (state === 'failed') {
    const { message, help } = failure ?? { message: generationFailures.GENERATION_FAILED, help: null };
    const texts = [message, help, 'No image was used.'].filter((text) => text !== null);
    return withReference(texts.map((text) => text.replace(/\.?$/, '.')).join(' '), failure?.requestId);
  }
  return imageUsed ? 'Stopped. 1 image was used.' : 'Cancelled. No image was used.';
}
