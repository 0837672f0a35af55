import { useMutation, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { RotateCcw, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useId, useState } from 'react';
import {
  type GenerationSet,
  type GenerationView,
  generationSetSchema,
  type PictureBox,
  paths,
} from '#contract';
import { callApi, messageOf } from '#web/lib/api.ts';
import { refreshGeneration } from '#web/lib/generations.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { Button } from '#web/ui/button.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { type MatchLevel, matchLabels } from './match-labels.ts';

/**
 * Has an image made again at no charge. Idempotent: a repeated request gets the same generation.
 * @throws ApiError; REMAKE_NOT_OFFERED if its product match is not low, REMAKE_LIMIT if the month's are used up
 */
function remakeGeneration(id: string): Promise<GenerationSet> {
  return callApi('POST', paths.remake(id), generationSetSchema);
}

/** Has an image made again at no charge, and shows the new generation. */
function useRemake(onShow: (id: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: remakeGeneration,
    networkMode: 'online',
    onSuccess: async ({ generations }, id) => {
      for (const view of generations) cacheGeneration(client, view);
      // It offers no other one now.
      await refreshGeneration(client, id).catch(() => {});
      const [first] = generations;
      if (first) onShow(first.id);
    },
    onError: async (error, id) => {
      toastError(messageOf(error));
      await refreshGeneration(client, id).catch(() => {});
    },
  });
}

const hints: Readonly<Record<MatchLevel, string>> = {
  high: 'Shape, colours and label of your product are the same as in your photos.',
  medium:
    'We could not compare every part of your product with your photos. Have a look at it before you use the image.',
  low: 'Parts of your product may differ from your photos. Compare shape, colours and label before you use the image.',
  unknown:
    'The image shows another side than your photos. Compare it yourself, or add a photo of that side next time.',
};

type Crops = NonNullable<NonNullable<GenerationView['match']>['crops']>;

/** The same part of the product in the photo and in the image as it was made, side by side. */
function MatchCrops({ view, crops }: { view: GenerationView; crops: Crops }) {
  const photo = view.photos[crops.photo];
  if (!photo || !view.image) return null;
  return (
    <div className="grid max-w-xl grid-cols-2 gap-3">
      <PictureCrop url={photo.url} box={crops.inPhoto} name="Your photo" />
      <PictureCrop url={view.image.url} box={crops.inImage} name="Image" />
    </div>
  );
}

/** Width by height of the frame of a part. */
const cropRatio = 4 / 3;

/** A part of a picture, enlarged to a frame that shows all of it. */
function PictureCrop({ url, box, name }: { url: string; box: PictureBox; name: string }) {
  /** Width by height of the picture; null until it is loaded. */
  const [ratio, setRatio] = useState<number | null>(null);
  const frame = ratio === null ? null : cropFrame(box, cropRatio / ratio);
  const percent = (share: number) => `${share * 100}%`;
  return (
    <figure>
      <span className="sweep relative block aspect-[4/3] overflow-hidden rounded-field border border-line">
        <img
          src={url}
          alt={`The part to compare: ${name.toLowerCase()}`}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setRatio(naturalWidth / naturalHeight)
          }
          style={
            frame
              ? {
                  width: percent(1 / frame.width),
                  height: percent(1 / frame.height),
                  left: percent(-frame.x / frame.width),
                  top: percent(-frame.y / frame.height),
                }
              : { opacity: 0 }
          }
          className="absolute max-w-none"
        />
      </span>
      <figcaption className="mt-1 text-xs text-ink-soft">{name}</figcaption>
    </figure>
  );
}

/** A box widened to a ratio around its middle, within the picture where that is large enough. @param ratio width by height in fractions of the picture */
function cropFrame({ x, y, width, height }: PictureBox, ratio: number): PictureBox {
  const [across, down] = [Math.max(width, height * ratio), Math.max(height, width / ratio)];
  return {
    x: widenedStart(x, width, across),
    y: widenedStart(y, height, down),
    width: across,
    height: down,
  };
}

/** Where a side begins that was widened around its middle. All in fractions of the picture. */
function widenedStart(start: number, length: number, widened: number): number {
  const centred = start + (length - widened) / 2;
  return widened > 1 ? (1 - widened) / 2 : Math.min(Math.max(0, centred), 1 - widened);
}

interface ProductMatchProps {
  view: GenerationView & { match: NonNullable<GenerationView['match']> };
  /** Shows or hides the matched area in the image. */
  onHighlight: (highlighted: boolean) => void;
  onShow: (id: string) => void;
}

/** Whether the image shows the product of the photos; a low match can be made again at no charge. */
export function ProductMatch({ view, onHighlight, onShow }: ProductMatchProps) {
  const id = useId();
  const { level, area, crops } = view.match;
  const showsArea = area !== null && view.edits === null;
  const remake = useRemake(onShow);
  const Icon = level === 'low' || level === 'unknown' ? ShieldAlert : ShieldCheck;
  return (
    <section aria-labelledby={id} className="grid gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <button
          type="button"
          id={id}
          aria-describedby={`${id}-hint`}
          onPointerEnter={() => onHighlight(true)}
          onPointerLeave={() => onHighlight(false)}
          onFocus={() => onHighlight(true)}
          onBlur={() => onHighlight(false)}
          className={clsx(
            'inline-flex min-h-11 cursor-default items-center gap-2 rounded-full px-4 font-semibold',
            level === 'high' && 'bg-good-wash text-good',
            (level === 'medium' || level === 'unknown') && 'bg-sunken text-ink',
            level === 'low' && 'bg-danger-wash text-danger',
          )}
        >
          <Icon aria-hidden className="size-4.5 shrink-0" />
          Product match: {matchLabels[level]}
        </button>
        {view.remake === 'offered' && (
          <Button variant="secondary" disabled={remake.isPending} onClick={() => remake.mutate(view.id)}>
            <RotateCcw aria-hidden className="size-4" />
            Make it again at no charge
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="max-w-prose text-ink-soft">
        {hints[level]}
        {showsArea && ' Point at the result, or tap it, to see where we found your product.'}
      </p>
      {level !== 'high' && crops && <MatchCrops view={view} crops={crops} />}
    </section>
  );
}
