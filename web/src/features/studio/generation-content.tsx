import { ChevronLeft, ChevronRight, LayoutGrid } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { type GenerationView, hasEnded, isolateName } from '#contract';
import { useVersions } from '#web/lib/generations.ts';
import { shortcutOf } from '#web/lib/shortcut.ts';
import { Button } from '#web/ui/button.tsx';
import type { OptionLimits } from '#web/ui/options/usable-options.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { NoImageView, ResultView } from './ended-view.tsx';
import { PendingView, UploadingView } from './pending-view.tsx';
import { type OpensWith, type SetActions, SetView } from './set-view.tsx';

export interface GenerationContentProps {
  /** The photo of the form, while a request with it is being sent. */
  photoUrl: string | null;
  /** Fraction of the request that was sent, 0 to 1; null while nothing is being sent. */
  uploadProgress: number | null;
  /** The generation to show. Null only while a request is being sent. */
  view: GenerationView | null;
  /** Its newest preview, also after it has ended. */
  preview: string | null;
  /** The takes of the set of `view`; empty for a generation that is alone, and while they load. */
  takes: readonly GenerationView[];
  /** Whether the set is shown as a grid; `view` is its first take then. */
  showsSet: boolean;
  setActions: SetActions;
  /** How `view` was opened, if not as it is. */
  opensWith: OpensWith | undefined;
  onShowSet: () => void;
  cancelling: boolean;
  retrying: boolean;
  onCancelUpload: () => void;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (useImage: boolean) => void;
  /** Null while the plan allows no image. */
  onRetry: (() => void) | null;
  onClear: () => void;
  optionLimits: OptionLimits;
  /** The buttons of a finished image around `buttons`, or those below why there is none. */
  renderActions: (view: GenerationView, buttons: ReactNode) => ReactNode;
}

/** The main area with a generation or a set, from the moment its request is being sent. */
export function GenerationContent(props: GenerationContentProps) {
  const { view, takes, uploadProgress, cancelling } = props;
  if (uploadProgress !== null) {
    return (
      <UploadingView
        photoUrl={props.photoUrl}
        progress={uploadProgress}
        cancelling={cancelling}
        onCancel={props.onCancelUpload}
      />
    );
  }
  if (view === null) return null;
  if (props.showsSet) return <SetView takes={takes} cancelling={cancelling} {...props.setActions} />;
  const strips = (
    <>
      {takes.length > 1 && (
        <SetNavigation
          view={view}
          takes={takes}
          onShow={props.setActions.onShow}
          onShowSet={props.onShowSet}
        />
      )}
      <VersionStrip view={view} onShow={props.setActions.onShow} />
    </>
  );
  return <OneGeneration key={view.id} {...props} view={view} strips={strips} />;
}

interface OneGenerationProps extends GenerationContentProps {
  view: GenerationView;
  /** Lead to the other takes and versions. */
  strips: ReactNode;
}

function OneGeneration(props: OneGenerationProps) {
  const { view, strips, preview, onClear } = props;
  if (!hasEnded(view.state)) {
    return (
      <PendingView
        view={view}
        strips={strips}
        preview={preview}
        cancelling={props.cancelling}
        onCancel={props.onCancel}
        onStartAnother={onClear}
      />
    );
  }
  if (view.state === 'succeeded') {
    return (
      <ResultView
        view={view}
        strips={strips}
        takes={props.takes}
        onShow={props.setActions.onShow}
        lastPreview={preview}
        opensWith={props.opensWith}
        onClear={onClear}
        renderActions={props.renderActions}
        canGenerate={props.onRetry !== null}
        optionLimits={props.optionLimits}
      />
    );
  }
  return (
    <NoImageView
      view={view}
      strips={strips}
      retrying={props.retrying}
      onRetry={props.onRetry}
      onClear={onClear}
      actions={props.renderActions(view, null)}
    />
  );
}

interface SetNavigationProps {
  /** The take that is shown. */
  view: GenerationView;
  takes: readonly GenerationView[];
  onShow: (id: string) => void;
  onShowSet: () => void;
}

/** Leads from a take to the others of its set, also by the arrow keys, and back to the grid. */
function SetNavigation({ view, takes, onShow, onShowSet }: SetNavigationProps) {
  const at = takes.findIndex(({ id }) => id === view.id);
  const [previous, next] = [takes[at - 1], takes[at + 1]];
  const onArrow = useEffectEvent((event: KeyboardEvent) => {
    const take = { ArrowLeft: previous, ArrowRight: next }[shortcutOf(event)];
    if (take && !event.defaultPrevented && !usesArrows(event)) onShow(take.id);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onArrow(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return (
    <nav aria-label="Images of this set" className="mb-3 flex items-center gap-1.5">
      <Button variant="secondary" onClick={onShowSet} className="mr-auto px-4!">
        <LayoutGrid aria-hidden className="size-4" />
        All {takes.length} images
      </Button>
      <Step take={previous} label="Previous image" onShow={onShow}>
        <ChevronLeft aria-hidden className="size-5" />
      </Step>
      <span className="text-sm whitespace-nowrap text-ink-soft">
        <span className="sr-only">Image </span>
        {at + 1} of {takes.length}
      </span>
      <Step take={next} label="Next image" onShow={onShow}>
        <ChevronRight aria-hidden className="size-5" />
      </Step>
    </nav>
  );
}

interface StepProps {
  /** Undefined at the end of the set. */
  take: GenerationView | undefined;
  label: string;
  onShow: (id: string) => void;
  children: ReactNode;
}

function Step({ take, label, onShow, children }: StepProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={take === undefined}
      onClick={() => take && onShow(take.id)}
      className="grid size-11 place-items-center rounded-full border border-line-strong hover:bg-sunken aria-disabled:cursor-not-allowed aria-disabled:opacity-50"
    >
      {children}
    </button>
  );
}

/** Whether the arrow keys belong to what has the focus, or to a dialog. */
function usesArrows({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog], [role=menu]') !== null) return true;
  return target instanceof Element && target.closest('input, textarea, select, [role=tab]') !== null;
}

interface VersionStripProps {
  /** The version that is shown. */
  view: GenerationView;
  onShow: (id: string) => void;
}

/** The versions of an image, oldest first; nothing while there is only one. */
function VersionStrip({ view, onShow }: VersionStripProps) {
  const versions = useVersions(view.rootId);
  if (versions.length < 2) return null;
  return (
    <nav aria-label="Versions of this image" className="mb-3">
      <ol className="flex gap-2 overflow-x-auto p-1">
        {versions.map((version, index) => {
          const image = version.edits ?? version.image;
          const name = isolateName(version.change?.instruction ?? 'First version');
          return (
            <li key={version.id}>
              <button
                type="button"
                title={name}
                aria-label={`Version ${index + 1}: ${name}`}
                aria-current={version.id === view.id ? 'true' : undefined}
                onClick={() => onShow(version.id)}
                className="sweep grid size-14 place-items-center overflow-hidden rounded-field ring-1 ring-line hover:ring-line-strong aria-current:ring-2 aria-current:ring-accent"
              >
                {image ? (
                  <img src={image.thumbnailUrl} alt="" className="size-full object-cover" />
                ) : version.endedAt === null ? (
                  <Spinner className="text-accent" />
                ) : (
                  <span aria-hidden>–</span>
                )}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
