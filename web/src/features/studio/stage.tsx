import { useMutation } from '@tanstack/react-query';
import { FileImage, ImagePlus, Sparkles } from 'lucide-react';
import { type CSSProperties, type ReactNode, type Ref, useEffect, useState } from 'react';
import type { GenerationView } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useComponentCode } from '#web/lib/component-code.ts';
import { type SampleProduct, sampleProducts } from '#web/pictures/products.ts';
import { Button } from '#web/ui/button.tsx';
import { Name } from '#web/ui/name.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { fetchSample, usePreview } from './api.ts';
import { generationCode } from './generation-code.ts';
import type { GenerationContentProps } from './generation-content.tsx';
import type { Photo } from './photos.ts';
import { headingOfSet, progressOfSet, stageAnnouncement, stageHeading } from './progress-text.ts';

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
    ? headingOfSet(takes)
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
        text={showsSet ? `${progressOfSet(takes)}.` : stageAnnouncement({ uploadProgress, view })}
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
      <SkeletonBlock className="stage-frame rounded-card" />
      <div className="flex gap-2">
        <SkeletonBlock className="h-11 w-36 rounded-full" />
        <SkeletonBlock className="h-11 w-24 rounded-full" />
      </div>
    </div>
  );
}

interface EmptyViewProps {
  onAdd: () => void;
  onSample: OnSample;
  /** Files are being dragged over the page. */
  dragging: boolean;
}

/** No photos yet. */
function EmptyView({ onAdd, onSample, dragging }: EmptyViewProps) {
  return (
    <div className="sweep mx-auto grid min-h-[min(34rem,60dvh)] w-full max-w-3xl place-items-center rounded-card">
      <div className="grid max-w-sm justify-items-center gap-4 px-2 py-6 text-center sm:px-6">
        <span className="grid size-16 place-items-center rounded-full bg-surface shadow-card">
          <ImagePlus aria-hidden className="size-7 text-accent" strokeWidth={1.75} />
        </span>
        <p className="text-lg font-semibold">
          {dragging ? 'Drop your photos here' : 'Upload product images'}
        </p>
        <p className="text-ink-soft">
          One to four photos of your product are all it takes. Then describe the setting.
        </p>
        <Button variant="secondary" onClick={onAdd}>
          Choose photos
        </Button>
        <SampleProducts onSample={onSample} />
      </div>
    </div>
  );
}

interface ReadyViewProps {
  photo: Photo;
  /** Null while the plan allows no image. */
  onGenerate: (() => void) | null;
}

/** Ready to generate: the first photo, dimmed, with the button. */
function ReadyView({ photo, onGenerate }: ReadyViewProps) {
  const [brokenPreview, setBrokenPreview] = useState<string | null>(null);
  return (
    <div className="sweep relative grid stage-frame place-items-center overflow-hidden">
      {photo.preview && photo.preview !== brokenPreview ? (
        <img
          src={photo.preview}
          alt=""
          onError={() => setBrokenPreview(photo.preview)}
          className="absolute inset-0 size-full object-contain opacity-35"
        />
      ) : (
        <FileImage aria-hidden className="absolute size-1/2 text-line-strong opacity-40" strokeWidth={0.75} />
      )}
      <div className="relative grid justify-items-center gap-4 rounded-card bg-veil px-8 py-7 text-center shadow-card backdrop-blur-sm">
        <p className="text-xl font-semibold tracking-tight">Ready to Generate</p>
        {onGenerate && (
          <Button onClick={onGenerate}>
            <Sparkles aria-hidden className="size-4.5" />
            Generate Now
          </Button>
        )}
      </div>
    </div>
  );
}

/** Called with a sample product and its photo. */
type OnSample = (product: SampleProduct, photo: File) => void;

/** Sample products for a seller who has no photo at hand: one click fills in the form. */
function SampleProducts({ onSample }: { onSample: OnSample }) {
  const { mutate, isPending } = useMutation({
    mutationFn: fetchSample,
    onSuccess: (photo, product) => onSample(product, photo),
    onError: (error) => toastError(messageOf(error)),
  });
  return (
    <div className="mt-2 grid gap-2.5">
      <p id="samples-label" className="text-sm text-ink-soft">
        Or try it with one of ours:
      </p>
      <ul
        aria-labelledby="samples-label"
        className="grid grid-cols-[repeat(3,minmax(0,5rem))] justify-center gap-3"
      >
        {sampleProducts.map((product) => (
          <li key={product.id}>
            <button
              type="button"
              disabled={isPending}
              onClick={() => mutate(product)}
              className="group block w-full rounded-field text-center disabled:opacity-60"
            >
              <span className="block overflow-hidden rounded-field bg-surface ring-1 ring-line group-hover:ring-2 group-hover:ring-accent">
                <Picture
                  picture={product.thumbnail}
                  alt=""
                  sizes="80px"
                  loading="eager"
                  className="aspect-square w-full object-cover"
                />
              </span>
              <span className="mt-1.5 block text-xs leading-snug font-medium">{product.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
