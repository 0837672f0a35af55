import {
  type KeyboardEvent,
  type RefCallback,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Cropper, type CropperRef } from 'react-advanced-cropper';
import 'react-advanced-cropper/dist/style.css';
import type { EditPixels } from '#contract/edit-geometry.ts';
import { cropLeast, type EditCrop, type EditRecipe } from '#contract/edit-recipe.ts';
import { shortcutOf } from '#web/lib/shortcut.ts';
import { toCrop, toRectangle, withKey } from './crops.ts';
import { drawEdited } from './preview.ts';

interface CropViewProps {
  pixels: EditPixels;
  recipe: EditRecipe;
  /** Width by height of the crop; null for any. */
  ratio: number | null;
  /** @param control if a key changed it; all its changes are one step until `onEnd` */
  onChange: (crop: EditCrop | null, control?: string) => void;
  onEnd: () => void;
}

/** Visible on light and dark images, and large enough for a finger. The library's style sheet has no layer: hence `!`. */
const cropperClasses = {
  handlerClassNames: { default: 'size-4! rounded-full! border-2 border-white bg-accent! shadow-card' },
  handlerWrapperClassNames: { default: 'size-11!' },
  lineClassNames: { default: 'border-accent!' },
};

/** The whole image with a frame around the part that is kept. */
export function CropView({ pixels, recipe, ratio, onChange, onEnd }: CropViewProps) {
  const cropper = useRef<CropperRef>(null);
  const [place, placeSize] = useElementSize();
  const { crop, ...withoutCrop } = recipe;
  const look = JSON.stringify(withoutCrop);
  const whole = useMemo(() => {
    const canvas = document.createElement('canvas');
    drawEdited(canvas, pixels, { ...JSON.parse(look), crop: null });
    return { url: canvas.toDataURL('image/png'), width: canvas.width, height: canvas.height };
  }, [pixels, look]);

  // After undo, redo, reset, a key, a number or a chosen ratio.
  useEffect(() => {
    const shown = cropper.current?.getCoordinates();
    if (!shown) return;
    const wanted = toRectangle(crop, whole);
    const isShown = (['left', 'top', 'width', 'height'] as const).every(
      (side) => Math.abs(shown[side] - wanted[side]) < 1.5,
    );
    if (!isShown) cropper.current?.setCoordinates(wanted, { transitions: false });
  }, [crop, whole]);

  const changeByKey = (event: KeyboardEvent) => {
    const changed = withKey(crop, whole, { shortcut: shortcutOf(event), ratio });
    if (changed === undefined) return;
    event.preventDefault();
    onChange(changed, 'crop keys');
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form
    <div
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the crop
      tabIndex={0}
      aria-label="Crop. The arrow keys move it; with Shift they change its size."
      onKeyDown={changeByKey}
      onBlur={onEnd}
      // The handles are drawn half outside the picture.
      className="size-full rounded-card p-5 outline-offset-[-3px]"
    >
      {/* Screen readers have the name above, and the numbers beside the picture. */}
      <div ref={place} aria-hidden className="size-full">
        {placeSize && (
          <Cropper
            // In a place of another size it starts again: otherwise it keeps the picture's position.
            key={placeSize}
            ref={cropper}
            src={whole.url}
            className="size-full overflow-visible! bg-transparent!"
            checkOrientation={false}
            crossOrigin={false}
            canvas={false}
            transitions={false}
            minWidth={Math.ceil(whole.width * cropLeast)}
            minHeight={Math.ceil(whole.height * cropLeast)}
            backgroundWrapperProps={{ scaleImage: false, moveImage: false }}
            stencilProps={{ aspectRatio: ratio ?? undefined, grid: true, ...cropperClasses }}
            defaultCoordinates={() => toRectangle(crop, whole)}
            onInteractionEnd={(ended) => {
              const coordinates = ended.getCoordinates();
              if (coordinates) onChange(toCrop(coordinates, whole));
            }}
          />
        )}
      </div>
    </div>
  );
}

/** @returns a ref, and the width and height in pixels of the element that it was given to; null before that */
function useElementSize(): [ref: RefCallback<Element>, size: string | null] {
  const [size, setSize] = useState<string | null>(null);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize(`${entry.contentRect.width} × ${entry.contentRect.height}`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
