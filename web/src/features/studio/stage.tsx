import { type CSSProperties, type ReactNode, type Ref, useEffect, useState } from 'react';
import type { GenerationView } from '#contract';
import { useComponentCode } from '#web/lib/component-code.ts';
import { Name } from '#web/ui/name.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { usePreview } from './api.ts';
import { generationCode } from './generation-code.ts';
import type { GenerationContentProps } from './generation-content.tsx';
import type { Photo } from './photos.ts';
import { headingOfSet, progressOfSet, stageAnnouncement, stageHeading } from './progress-text.ts';
import { pictureClass } from './stage-areas.ts';

interface StageProps extends Omit<GenerationContentProps, 'view' | 'preview' | 'photoUrl'> {
  headingRef: Ref<HTMLHeadingElement>;
  badge: ReactNode;
  /** The images of the product, below the picture. */
  filmstrip: ReactNode;
  /** The first photo of the form that is being sent. */
  photo: Photo | undefined;
  /** The size of the image that is being requested, in pixels. */
  sentSize: { width: number; height: number };
  /** The generation to show; null while a request is being sent, undefined while it is loading. */
  view: GenerationView | null | undefined;
}

/** The main area with a generation (docs/product.md, Studio): in progress, finished, or why no image was made. */
export function Stage({ headingRef, badge, filmstrip, photo, ...content }: StageProps) {
  const { uploadProgress, view, takes } = content;
  const showsSet = content.showsSet && uploadProgress === null;
  const text = showsSet
    ? headingOfSet(takes)
    : stageHeading({ hasPhoto: photo !== undefined, uploadProgress, view });
  const isName = text === view?.productName || text === takes[0]?.productName;
  // Kept here, because the finished image fades in over the last preview.
  const preview = usePreview(view);
  const sending = uploadProgress !== null;
  const GenerationContent = useComponentCode(generationCode, true);
  return (
    <section aria-labelledby="stage-heading" className="min-w-0">
      <LiveAnnouncement
        text={showsSet ? `${progressOfSet(takes)}.` : stageAnnouncement({ uploadProgress, view })}
      />
      <div
        style={{ '--frame-ratio': frameRatio(content) } as CSSProperties}
        className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-3 lg:grid-cols-[minmax(0,1fr)_auto]"
      >
        <h2
          id="stage-heading"
          ref={headingRef}
          tabIndex={-1}
          className="order-1 scroll-mt-20 self-center text-lg leading-tight font-semibold tracking-tight select-none sm:text-xl"
        >
          {isName ? <Name>{text}</Name> : text}
        </h2>
        {!GenerationContent || (!sending && view === undefined) ? (
          <SkeletonBlock className={`stage-frame rounded-card ${pictureClass}`} />
        ) : (
          <GenerationContent
            {...content}
            view={view ?? null}
            preview={preview}
            photoUrl={photo?.preview ?? null}
          />
        )}
        <div className="order-4 min-w-0 lg:col-span-2">{filmstrip}</div>
      </div>
      {badge}
    </section>
  );
}

/** Width by height of the frame: that of the image, or of the one that is being sent or made. */
function frameRatio({
  view,
  uploadProgress,
  sentSize,
}: Pick<StageProps, 'view' | 'uploadProgress' | 'sentSize'>): number {
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
