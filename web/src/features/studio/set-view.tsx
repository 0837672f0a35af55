import clsx from 'clsx';
import { Columns2, Download, type LucideIcon, RotateCcw, WandSparkles } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { downloadName, type GenerationView, generationFailures, hasEnded } from '#contract';
import { withReference } from '#web/lib/api.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CrossfadeImage } from '#web/ui/crossfade-image.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TimeLeft } from '#web/ui/time-left.tsx';
import { usePreview } from './api.ts';
import { type MatchLevel, matchLabels } from './match-labels.ts';
import { isSetPending, progressOfSet, progressText, takeName } from './progress-text.ts';
import { actionsFirstClass, pictureClass } from './stage-areas.ts';
import { StopButton } from './stop-button.tsx';

/** How an image is opened: compared, or with the focus where a change is described. */
export type OpensWith = 'compare' | 'change';

export interface SetActions {
  onShow: (id: string, opensWith?: OpensWith) => void;
  /** The button that edits a finished take. */
  renderEdit: (view: GenerationView) => ReactNode;
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
export function SetView(props: SetViewProps) {
  const { takes, cancelling, onShow, renderEdit, onCancel, onRetry, onClear, actions } = props;
  // Where a preview is visible, stopping uses an image: each of those has its own button, which says so.
  const free = takes.filter(({ state, previewUrl }) => !hasEnded(state) && previewUrl === null);
  const [first] = takes;
  const ratio = first ? first.options.width / first.options.height : 1;
  return (
    <>
      <div className={actionsFirstClass}>
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
              onShow={(opensWith) => onShow(view.id, opensWith)}
              renderEdit={renderEdit}
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
  onShow: (opensWith?: OpensWith) => void;
  renderEdit: (view: GenerationView) => ReactNode;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (useImage: boolean) => void;
  /** Null while the plan allows no image. */
  onRetry: (() => void) | null;
}

const frameClass = 'sweep relative block aspect-(--frame-ratio) w-full overflow-hidden rounded-field';

/** A take in the grid of its set: its image, how far it is, or why there is none. */
function TakeTile(props: TakeTileProps) {
  const { view, onShow } = props;
  const preview = usePreview(view);
  const image = view.edits ?? view.image;
  const name = takeName(view);
  return (
    <li aria-label={name} className="grid grid-cols-1 gap-2">
      {image ? (
        <button
          type="button"
          onClick={() => onShow()}
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
      <TakeActions {...props} />
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

function TakeActions({ view, cancelling, onShow, renderEdit, onCancel, onRetry }: TakeTileProps) {
  if (view.image) {
    return (
      <>
        {view.match && <MatchLine level={view.match.level} />}
        <div className="grid grid-cols-3 gap-1.5 sm:grid-cols-2">
          <a
            href={(view.edits ?? view.image).downloadUrl}
            download={downloadName(view.productName, view.createdAt)}
            aria-label={`Download ${takeName(view).toLowerCase()}`}
            className={buttonClass('secondary', `${takeButtonClass} max-sm:col-span-3`)}
          >
            <Download aria-hidden className="size-4" />
            Download
          </a>
          {renderEdit(view)}
          <OpenButton view={view} name="Compare" Icon={Columns2} onClick={() => onShow('compare')} />
          <OpenButton view={view} name="Change" Icon={WandSparkles} onClick={() => onShow('change')} />
        </div>
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

/** Of the buttons below a take, of which two are as wide as it. */
export const takeButtonClass = 'px-2! text-sm! lg:max-xl:gap-1!';

interface OpenButtonProps {
  view: GenerationView;
  name: string;
  Icon: LucideIcon;
  onClick: () => void;
}

/** Opens a take with what is wanted there. On phones its word is for screen readers. */
function OpenButton({ view, name, Icon, onClick }: OpenButtonProps) {
  return (
    <Button
      variant="secondary"
      onClick={onClick}
      aria-label={`${name} ${takeName(view).toLowerCase()}`}
      className={takeButtonClass}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="max-sm:sr-only">{name}</span>
    </Button>
  );
}

const matchClasses: Readonly<Record<MatchLevel, string>> = {
  high: 'text-good',
  medium: 'text-ink-soft',
  low: 'text-danger',
  unknown: 'text-ink-soft',
};

function MatchLine({ level }: { level: MatchLevel }) {
  return (
    <p className={clsx('text-sm font-medium', matchClasses[level])}>Product match: {matchLabels[level]}</p>
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
