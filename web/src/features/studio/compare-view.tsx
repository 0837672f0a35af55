import { Minus, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { type GenerationView, isolateName } from '#contract';
import { useVersions } from '#web/lib/generations.ts';
import { Button } from '#web/ui/button.tsx';
import { CompareSlider } from '#web/ui/compare-slider.tsx';
import { RoundButton, type ZoomHandle, ZoomPane, zoomFrameClass, zoomStep } from '#web/ui/zoom-pane.tsx';
import { altOf } from './alt-of.ts';

/** What an image is compared with. */
interface Other {
  url: string;
  thumbnailUrl: string;
  /** Over its picture. */
  label: string;
  /** In the choice of what to compare with. */
  name: string;
  /** Whether it shows the same frame, so that one can lie over the other. */
  isSameFrame: boolean;
}

/** Whether edits leave the frame of an image as it is. */
function keepsFrame({ edits }: GenerationView): boolean {
  if (edits === null) return true;
  const { rotate, straighten, crop } = edits.recipe;
  return rotate === 0 && straighten === 0 && crop === null;
}

/** The photos of an image, the image before its edits, and its other versions. */
function othersOf(view: GenerationView, versions: readonly GenerationView[]): Other[] {
  const { photos, image, edits } = view;
  const others: Other[] = photos.map(({ url, thumbnailUrl }, index) => ({
    url,
    thumbnailUrl,
    label: photos.length > 1 ? `Photo ${index + 1}` : 'Photo',
    name: `Photo ${index + 1} of ${photos.length}`,
    isSameFrame: false,
  }));
  if (image && edits) {
    others.push({
      ...image,
      label: 'Before the edits',
      name: 'The image before the edits',
      isSameFrame: keepsFrame(view),
    });
  }
  for (const [index, version] of versions.entries()) {
    const shown = version.edits ?? version.image;
    if (shown === null || version.id === view.id) continue;
    const { width, height } = edits ?? image ?? view.options;
    const hasSameSize = shown.width === width && shown.height === height;
    others.push({
      ...shown,
      label: `Version ${index + 1}`,
      name: `Version ${index + 1}: ${isolateName(version.change?.instruction ?? 'First version')}`,
      isSameFrame: hasSameSize && keepsFrame(view) && keepsFrame(version),
    });
  }
  return others;
}

/** A finished image beside a photo, or another one: both are zoomed and moved together. What shows the same frame lies over it. */
export function CompareView({ view }: { view: GenerationView }) {
  const [chosen, setChosen] = useState(0);
  const others = othersOf(view, useVersions(view.rootId));
  const other = others[chosen] ?? others[0];
  const image = view.edits ?? view.image;
  if (image === null || other === undefined) return null;
  return (
    <div className="grid gap-3">
      {other.isSameFrame ? (
        <CompareSlider
          key={other.url}
          className="stage-frame sweep"
          names={[other.label, 'This image']}
          photo={<img src={other.url} alt="" className="absolute inset-0 size-full object-contain" />}
          image={
            <img src={image.url} alt={altOf(view)} className="absolute inset-0 size-full object-contain" />
          }
        />
      ) : (
        <SideBySide
          key={other.url}
          pictures={[
            { url: other.url, label: other.label, alt: other.name },
            { url: image.url, label: 'Image', alt: altOf(view) },
          ]}
        />
      )}
      {others.length > 1 && (
        <ul className="flex flex-wrap justify-center gap-2" aria-label="Compare with">
          {others.map(({ thumbnailUrl, name }, index) => (
            <li key={thumbnailUrl}>
              <button
                type="button"
                aria-label={name}
                title={name}
                aria-pressed={index === chosen}
                onClick={() => setChosen(index)}
                className="block size-13 overflow-hidden rounded-field border-2 border-line aria-pressed:border-accent"
              >
                <img src={thumbnailUrl} alt="" className="size-full object-cover" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ShownPicture {
  url: string;
  /** Over it. */
  label: string;
  alt: string;
}

const zoomMost = 6;

/** Two pictures beside each other in frames of the same size, with one zoom and one position. */
function SideBySide({ pictures }: { pictures: readonly ShownPicture[] }) {
  const panes = useRef(new Map<number, ZoomHandle>());
  const [scale, setScale] = useState(1);
  const isZoomed = scale > 1;
  const first = () => panes.current.get(0);
  /** Moves the other pane to where one is. */
  const follow = (index: number, { state }: ZoomHandle) => {
    setScale(state.scale);
    for (const [at, { state: other, setTransform }] of panes.current) {
      // It may be there already: it says so itself when it has moved.
      const isThere =
        at === index ||
        (other.scale === state.scale &&
          other.positionX === state.positionX &&
          other.positionY === state.positionY);
      if (!isThere) void setTransform(state.positionX, state.positionY, state.scale, 0);
    }
  };
  return (
    <div className="grid gap-2">
      <div className="compare-frames grid grid-cols-2 gap-2 sm:gap-3">
        {pictures.map(({ url, label, alt }, index) => (
          <figure
            key={url}
            className={`sweep relative min-w-0 overflow-hidden rounded-field border border-line sm:rounded-card ${zoomFrameClass(isZoomed)}`}
          >
            <ZoomPane
              ref={(pane) => {
                if (pane) panes.current.set(index, pane);
                else panes.current.delete(index);
              }}
              label={`${label}. Plus and minus zoom both pictures, the arrow keys move them, 0 shows all.`}
              isZoomed={isZoomed}
              maxScale={zoomMost}
              onTransform={(pane) => follow(index, pane)}
            >
              <img src={url} alt={alt} draggable={false} className="size-full object-contain" />
            </ZoomPane>
            <figcaption className="pointer-events-none absolute bottom-2 left-2 z-3 rounded-full bg-[#17120ccc] px-3 py-1 text-sm font-medium text-[#fffdf9]">
              {label}
            </figcaption>
          </figure>
        ))}
      </div>
      <div className="flex items-center justify-center gap-1.5">
        <RoundButton label="Zoom out" disabled={!isZoomed} onClick={() => first()?.zoomOut(zoomStep, 0)}>
          <Minus aria-hidden className="size-4.5" />
        </RoundButton>
        <span role="status" className="min-w-16 text-center text-sm font-semibold tabular-nums">
          {Math.round(scale * 100)} %
        </span>
        <RoundButton
          label="Zoom in"
          disabled={scale >= zoomMost}
          onClick={() => first()?.zoomIn(zoomStep, 0)}
        >
          <Plus aria-hidden className="size-4.5" />
        </RoundButton>
        <Button variant="quiet" onClick={() => first()?.resetTransform(0)} className="px-3!">
          Show all
        </Button>
      </div>
    </div>
  );
}
