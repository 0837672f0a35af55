import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { type GenerationView, hasEnded } from '#contract';
import { Spinner } from '#web/ui/spinner.tsx';
import { ResultView, UnmadeView } from './ended-view.tsx';
import { EmptyView, ReadyView } from './idle-view.tsx';
import { PendingView, SendingView } from './pending-view.tsx';
import type { Photo } from './photos.ts';
import { progressText } from './progress-text.ts';
import { usePreview } from './use-preview.ts';

export interface StageProps {
  headingRef: Ref<HTMLHeadingElement>;
  photo: Photo | undefined;
  /** Part of the request that has been sent, 0 to 1; null when nothing is. */
  sent: number | null;
  /** The generation to show; null for none, undefined while it is on its way. */
  view: GenerationView | null | undefined;
  dropping: boolean;
  cancelling: boolean;
  retrying: boolean;
  badge: ReactNode;
  onAdd: () => void;
  /** Null while the plan allows no image. */
  onGenerate: (() => void) | null;
  onStop: () => void;
  /** @param useImage whether the button said that stopping uses the image */
  onCancel: (useImage: boolean) => void;
  /** Null while the plan allows no image. */
  onRetry: (() => void) | null;
  onClear: () => void;
}

function headingOf({ photo, sent, view }: StageProps): string {
  if (sent !== null) return 'Creating your product visualization...';
  if (view === undefined) return 'Opening…';
  if (view === null) return photo ? 'Your scene is set' : 'Your product image';
  if (!hasEnded(view.state)) return 'Creating your product visualization...';
  if (view.state === 'succeeded') return view.productName || 'Your product image';
  if (view.state === 'failed') return 'This image was not made';
  return view.imageUsed ? 'Stopped' : 'Cancelled';
}

/** What a screen reader is told, when there is time, as a generation goes on. */
function announcementOf({ sent, view }: StageProps): string {
  if (sent !== null) return sent < 1 ? 'Uploading your photos' : 'Checking your photos';
  if (!view) return '';
  if (view.state === 'succeeded') return 'Your product image is ready.';
  if (view.state === 'failed') return `${view.failure?.message ?? ''} No image was used.`;
  if (view.state === 'cancelled') {
    return view.imageUsed ? 'Stopped. 1 image was used.' : 'Cancelled. No image was used.';
  }
  return progressText(view);
}

/** The main area (docs/product.md, Studio): empty, ready, in progress, finished, or why no image was made. */
export function Stage(props: StageProps) {
  const { headingRef, photo, sent, view, badge } = props;
  // The image comes over its own last preview.
  const preview = usePreview(view);
  const announcement = announcementOf(props);
  const [announced, setAnnounced] = useState('');
  // A live region says what changes in it: what is there from the start is read with the page.
  useEffect(() => setAnnounced(announcement), [announcement]);

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
        {headingOf(props)}
      </h2>
      <p aria-live="polite" className="sr-only">
        {announced}
      </p>
      {sent !== null ? (
        <SendingView
          photo={photo?.preview ?? null}
          sent={sent}
          stopping={props.cancelling}
          onStop={props.onStop}
        />
      ) : view === undefined ? (
        <div className="sweep grid stage-frame place-items-center text-ink-soft">
          <Spinner className="size-6" />
        </div>
      ) : view === null ? (
        photo ? (
          <ReadyView photo={photo} onGenerate={props.onGenerate} />
        ) : (
          <EmptyView onAdd={props.onAdd} dropping={props.dropping} />
        )
      ) : view.state === 'succeeded' ? (
        <ResultView key={view.id} view={view} lastPreview={preview} onClear={props.onClear} />
      ) : hasEnded(view.state) ? (
        <UnmadeView view={view} retrying={props.retrying} onRetry={props.onRetry} onClear={props.onClear} />
      ) : (
        <PendingView
          key={view.id}
          view={view}
          preview={preview}
          cancelling={props.cancelling}
          onCancel={props.onCancel}
          onAnother={props.onClear}
        />
      )}
      {badge}
    </section>
  );
}
