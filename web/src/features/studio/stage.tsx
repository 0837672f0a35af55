import { type CSSProperties, type ReactNode, type Ref, useEffect, useState } from 'react';
import type { GenerationView } from '#contract';
import { useComponentCode } from '#web/lib/component-code.ts';
import { Name } from '#web/ui/name.tsx';
import { Bone } from '#web/ui/skeleton.tsx';
import { usePreview } from './api.ts';
import { generationCode } from './generation-code.ts';
import type { GenerationContentProps } from './generation-content.tsx';
import { EmptyView, ReadyView } from './idle-view.tsx';
import type { Photo } from './photos.ts';
import type { OnSample } from './sample-products.tsx';
import { setHeading, setProgress } from './set-text.ts';
import { stageAnnouncement, stageHeading } from './stage-text.ts';

interface StageContentProps extends Omit<GenerationContentProps, 'view' | 'preview' | 'photoUrl'> {
  photo: Photo | undefined;
  /** The size of the image that is being requested, in pixels. */
  sentSize: { width: number; height: number };
  /** The generation to show; null for none, undefined while it is loading. */
  view: GenerationView | null | undefined;
  /** Files are being dragged over the page. */
  dragging: boolean;
  onAdd: () => void;
  onSample: OnSample;
  /** Null while the plan allows no image. */
  onGenerate: (() => void) | null;
}

interface StageProps extends StageContentProps {
  headingRef: Ref<HTMLHeadingElement>;
  badge: ReactNode;
}

/** The main area (docs/product.md, Studio): empty, ready, in progress, finished, or why no image was made. */
export function Stage({ headingRef, badge, ...content }: StageProps) {
  const { photo, uploadProgress, view, takes } = content;
  const showsSet = content.showsSet && uploadProgress === null;
  const heading = showsSet
    ? setHeading(takes)
    : stageHeading({ hasPhoto: photo !== undefined, uploadProgress, view });
  const isName = heading === view?.productName || heading === takes[0]?.productName;
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
        {isName ? <Name>{heading}</Name> : heading}
      </h2>
      <LiveAnnouncement
        text={showsSet ? `${setProgress(takes)}.` : stageAnnouncement({ uploadProgress, view })}
      />
      <div style={{ '--frame-ratio': frameRatio(content) } as CSSProperties}>
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
  const { photo, uploadProgress, view } = props;
  // Kept here, because the finished image fades in over the last preview.
  const preview = usePreview(view);
  const sending = uploadProgress !== null;
  const GenerationContent = useComponentCode(generationCode, sending || view !== null || photo !== undefined);
  if (!sending && view === null) {
    if (photo) return <ReadyView photo={photo} onGenerate={props.onGenerate} />;
    return <EmptyView onAdd={props.onAdd} onSample={props.onSample} dragging={props.dragging} />;
  }
  if (!GenerationContent || (!sending && view === undefined)) return <LoadingView />;
  return (
    <GenerationContent {...props} view={view ?? null} preview={preview} photoUrl={photo?.preview ?? null} />
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
