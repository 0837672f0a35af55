import { type CSSProperties, type ReactNode, type Ref, useEffect, useState } from 'react';
import { type GenerationView, hasEnded } from '#contract';
import { Bone } from '#web/ui/skeleton.tsx';
import { NoImageView, ResultView } from './ended-view.tsx';
import { EmptyView, ReadyView } from './idle-view.tsx';
import { PendingView, UploadingView } from './pending-view.tsx';
import type { Photo } from './photos.ts';
import type { OnSample } from './sample-products.tsx';
import { SetNavigation } from './set-navigation.tsx';
import { setHeading, setProgress } from './set-text.ts';
import { type SetActions, SetView } from './set-view.tsx';
import { stageAnnouncement, stageHeading } from './stage-text.ts';
import { usePreview } from './use-preview.ts';

interface StageContentProps {
  photo: Photo | undefined;
  /** Fraction of the request that was sent, 0 to 1; null while nothing is being sent. */
  uploadProgress: number | null;
  /** The size of the image that is being requested, in pixels. */
  sentSize: { width: number; height: number };
  /** The generation to show; null for none, undefined while it is loading. */
  view: GenerationView | null | undefined;
  /** The takes of the set of `view`; empty for a generation that is alone, and while they load. */
  takes: readonly GenerationView[];
  /** Whether the set is shown as a grid; `view` is its first take then. */
  showsSet: boolean;
  setActions: SetActions;
  onShowSet: () => void;
  /** Files are being dragged over the page. */
  dragging: boolean;
  cancelling: boolean;
  retrying: boolean;
  onAdd: () => void;
  onSample: OnSample;
  /** Null while the plan allows no image. */
  onGenerate: (() => void) | null;
  onCancelUpload: () => void;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (useImage: boolean) => void;
  /** Null while the plan allows no image. */
  onRetry: (() => void) | null;
  onClear: () => void;
  /** Beside the download of a finished image, or below why there is none. */
  renderActions: (view: GenerationView) => ReactNode;
}

interface StageProps extends StageContentProps {
  headingRef: Ref<HTMLHeadingElement>;
  badge: ReactNode;
}

/** The main area (docs/product.md, Studio): empty, ready, in progress, finished, or why no image was made. */
export function Stage({ headingRef, badge, ...content }: StageProps) {
  const { photo, uploadProgress, view, takes } = content;
  const showsSet = content.showsSet && uploadProgress === null;
  return (
    <section
      aria-labelledby="stage-heading"
      className="rounded-card border border-line bg-surface p-4 shadow-card sm:p-6"
    >
      <h2
        id="stage-heading"
        ref={headingRef}
        tabIndex={-1}
        className="mb-4 scroll-mt-20 text-lg select-none font-semibold tracking-tight sm:text-xl"
      >
        {showsSet ? setHeading(takes) : stageHeading({ hasPhoto: photo !== undefined, uploadProgress, view })}
      </h2>
      <LiveAnnouncement
        text={showsSet ? `${setProgress(takes)}.` : stageAnnouncement({ uploadProgress, view })}
      />
      <div style={{ '--frame-ratio': frameRatio(content) } as CSSProperties}>
        {view && takes.length > 1 && uploadProgress === null && !showsSet && (
          <SetNavigation
            view={view}
            takes={takes}
            onShow={content.setActions.onShow}
            onShowSet={content.onShowSet}
          />
        )}
        <StageContent {...content} />
      </div>
      {badge}
    </section>
  );
}

/** Width by height of the frame: that of the image, or of the one that is being sent or made. */
function frameRatio({ view, uploadProgress, sentSize }: StageContentProps): number {
  const shown = uploadProgress === null && view ? (view.edits ?? view.image ?? view.options) : null;
  const { width, height } = shown ?? (uploadProgress === null ? { width: 1, height: 1 } : sentSize);
  return width / height;
}

/** A live region: screen readers announce the text whenever it changes. */
function LiveAnnouncement({ text }: { text: string }) {
  const [announced, setAnnounced] = useState('');
  // Live regions announce only changes, so the first text is set after the first render.
  useEffect(() => setAnnounced(text), [text]);
  return (
    <p aria-live="polite" className="sr-only">
      {announced}
    </p>
  );
}

function StageContent(props: StageContentProps) {
  const { photo, uploadProgress, view, cancelling, onClear } = props;
  // Kept here, because the finished image fades in over the last preview.
  const preview = usePreview(view);
  if (uploadProgress !== null) {
    return (
      <UploadingView
        photoUrl={photo?.preview ?? null}
        progress={uploadProgress}
        cancelling={cancelling}
        onCancel={props.onCancelUpload}
      />
    );
  }
  if (view === undefined) return <LoadingView />;
  if (view !== null && props.showsSet) {
    return <SetView takes={props.takes} cancelling={cancelling} {...props.setActions} />;
  }
  if (view === null) {
    if (photo) return <ReadyView photo={photo} onGenerate={props.onGenerate} />;
    return <EmptyView onAdd={props.onAdd} onSample={props.onSample} dragging={props.dragging} />;
  }
  if (!hasEnded(view.state)) {
    return (
      <PendingView
        key={view.id}
        view={view}
        preview={preview}
        cancelling={cancelling}
        onCancel={props.onCancel}
        onStartAnother={onClear}
      />
    );
  }
  if (view.state === 'succeeded') {
    return (
      <ResultView
        key={view.id}
        view={view}
        takes={props.takes}
        onShow={props.setActions.onShow}
        lastPreview={preview}
        onClear={onClear}
        actions={props.renderActions(view)}
      />
    );
  }
  return (
    <NoImageView
      view={view}
      retrying={props.retrying}
      onRetry={props.onRetry}
      onClear={onClear}
      actions={props.renderActions(view)}
    />
  );
}

function LoadingView() {
  return (
    <div className="grid gap-5">
      <Bone className="stage-frame rounded-card" />
      <div className="flex gap-2">
        <Bone className="h-11 w-36 rounded-full" />
        <Bone className="h-11 w-24 rounded-full" />
      </div>
    </div>
  );
}
