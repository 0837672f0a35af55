import { Maximize } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { GenerationView } from '#contract';
import { createComponentCode } from '#web/lib/component-code.ts';
import { useGenerations } from '#web/lib/generations.ts';
import { CrossfadeImage } from '#web/ui/crossfade-image.tsx';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';
import { altOf } from './alt-of.ts';
import { useSwipe } from './use-swipe.ts';
import type { ViewerImage } from './viewer.tsx';

interface ResultPictureProps {
  view: GenerationView;
  image: { url: string; width: number; height: number };
  /** The takes of its set. */
  takes: readonly GenerationView[];
  onShow: (id: string) => void;
  /** The preview that was shown before, if any. */
  lastPreview: string | null;
  /** An area to outline, in fractions of the image; null for none. */
  area: readonly { x: number; y: number }[] | null;
}

/** The finished image, also in full screen. A finger leads through the takes of its set. */
export function ResultPicture(props: ResultPictureProps) {
  const { view, image, takes, onShow, lastPreview, area } = props;
  const finished = useViewed(view, takes);
  const shown = finished.findIndex(({ id }) => id === view.id);
  const picture = useRef<HTMLDivElement>(null);
  const showTake = (at: number) => {
    const take = takes.length > 1 ? finished[at] : undefined;
    return take ? () => onShow(take.id) : null;
  };
  const swipe = useSwipe({ previous: showTake(shown - 1), next: showTake(shown + 1), picture });
  const viewer = useViewer({
    images: finished.flatMap((take) => viewerImage(take) ?? []),
    shown,
    onClose: (index) => {
      const seen = finished[index];
      if (seen && seen.id !== view.id) onShow(seen.id);
    },
  });
  return (
    <div className="stage-frame sweep relative overflow-clip" {...swipe}>
      <div ref={picture} className="size-full">
        <CrossfadeImage url={image.url} initialUrl={lastPreview} alt={altOf(view)} className="size-full" />
        {area && <MatchedArea points={area} />}
      </div>
      <PictureButton label="Full screen" onClick={viewer.show} onIntent={viewer.prepare}>
        <Maximize aria-hidden className="size-5" />
      </PictureButton>
      {viewer.element}
    </div>
  );
}

/** What the full-screen view leads through: the finished takes of a set, or the images of the product that are loaded. */
function useViewed(view: GenerationView, takes: readonly GenerationView[]): readonly GenerationView[] {
  const { data } = useGenerations();
  if (takes.length > 1) return takes.filter(({ image }) => image !== null);
  const { id, productName } = view;
  const ofProduct = (data?.pages.flatMap((page) => page.generations) ?? []).filter(
    (each) => each.image !== null && (productName === '' || each.productName === productName),
  );
  return ofProduct.some((each) => each.id === id) ? ofProduct : [view];
}

/** Null for a generation that has no image. */
function viewerImage(view: GenerationView): ViewerImage | null {
  const image = view.edits ?? view.image;
  if (image === null) return null;
  return { src: image.url, alt: altOf(view), width: image.width, height: image.height };
}

interface PictureButtonProps {
  label: string;
  onClick: () => void;
  /** The seller is about to click. */
  onIntent?: () => void;
  children: ReactNode;
}

/** A round button over a picture. */
function PictureButton({ label, onClick, onIntent, children }: PictureButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      onPointerEnter={onIntent}
      onFocus={onIntent}
      className="absolute right-3 bottom-3 z-5 grid size-11 place-items-center rounded-full bg-[#17120ccc] text-[#fffdf9] hover:bg-[#17120c]"
    >
      {children}
    </button>
  );
}

/** Outlines an area of an image. @param points in fractions of the image's width and height */
function MatchedArea({ points }: { points: readonly { x: number; y: number }[] }) {
  const corners = points.map(({ x, y }) => `${x},${y}`).join(' ');
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-0 z-3 size-full fill-transparent"
    >
      {/* Two lines, so that one of them stands out from any image. */}
      <polygon points={corners} vectorEffect="non-scaling-stroke" className="stroke-[#17120c] stroke-[5px]" />
      <polygon points={corners} vectorEffect="non-scaling-stroke" className="stroke-[#fffdf9] stroke-[2px]" />
    </svg>
  );
}

const viewerCode = createComponentCode(async () => (await import('./viewer.tsx')).Viewer);

interface ViewedImages {
  images: readonly ViewerImage[];
  /** The index of the image that it opens with. */
  shown: number;
  /** @param index of the image that was seen last */
  onClose: (index: number) => void;
}

/** The full-screen viewer of some images. */
function useViewer({ images, shown, onClose }: ViewedImages): {
  /** Loads its code, before the seller opens it. */
  prepare: () => void;
  show: () => void;
  /** To be rendered anywhere. */
  element: ReactNode;
} {
  const { Dialog: Viewer, preload, show, close } = useLoadedDialog(viewerCode);
  return {
    prepare: preload,
    show,
    element: Viewer && (
      <Viewer
        images={images}
        shown={shown}
        onClose={(index) => {
          close();
          onClose(index);
        }}
      />
    ),
  };
}
