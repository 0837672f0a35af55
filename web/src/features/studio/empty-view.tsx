import { useMutation } from '@tanstack/react-query';
import clsx from 'clsx';
import { Camera, ImagePlus } from 'lucide-react';
import type { Ref } from 'react';
import { limits, photoFormats } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { heroPairs } from '#web/pictures/hero.ts';
import { type SampleProduct, sampleProducts } from '#web/pictures/products.ts';
import { Button } from '#web/ui/button.tsx';
import { CameraButton } from '#web/ui/camera-button.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { mergeRefs } from '#web/ui/merge-refs.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { fetchSample } from './api.ts';

/** Of the button that takes a photo: `CameraButton` says whether it is shown. */
const takeClass =
  'min-h-13 items-center gap-2 rounded-full border border-line-strong bg-surface px-6 font-semibold hover:bg-sunken';

/** Called with a sample product and its photo. */
type OnSample = (product: SampleProduct, photo: File) => void;

interface EmptyViewProps {
  headingRef: Ref<HTMLHeadingElement>;
  /** Refs of the button: an error moves the focus here. */
  buttonRefs: readonly Ref<HTMLButtonElement>[];
  /** Whether something else is the next step: what the plan lacks. */
  isQuiet: boolean;
  error: string | undefined;
  onAdd: () => void;
  /** @param files a photo that was taken now */
  onTaken: (files: File[]) => void;
  onSample: OnSample;
  /** Files are being dragged over the page. */
  dragging: boolean;
  /** Files that are being checked. */
  checkingCount: number;
}

/** No photos yet: one thing to do. */
export function EmptyView(props: EmptyViewProps) {
  const { headingRef, buttonRefs, isQuiet, error, onAdd, onTaken, onSample, dragging, checkingCount } = props;
  return (
    <section
      aria-labelledby="stage-heading"
      className={clsx(
        'sweep grid grid-cols-[minmax(0,1fr)] items-center gap-8 rounded-[1.75rem] border-2 border-dashed px-5 py-6 sm:px-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:min-h-[min(32rem,calc(100dvh-19rem))]',
        dragging ? 'border-accent' : error ? 'border-danger' : 'border-line-strong',
      )}
    >
      <div className="grid max-w-2xl gap-4">
        <h2
          id="stage-heading"
          ref={headingRef}
          tabIndex={-1}
          className="scroll-mt-20 text-3xl leading-none font-bold tracking-tight sm:text-5xl"
        >
          {dragging ? 'Drop your photos here' : 'Start with a photo of your product'}
        </h2>
        <p className="max-w-xl text-ink-soft sm:text-lg">
          Drop it anywhere on this page. Then choose a scene, and change its words as you like.
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            ref={mergeRefs(...buttonRefs)}
            variant={isQuiet ? 'secondary' : 'primary'}
            onClick={onAdd}
            aria-describedby={clsx(error && 'photos-error', 'photos-hint')}
            className="min-h-13! px-7! text-base!"
          >
            {checkingCount > 0 ? <Spinner /> : <ImagePlus aria-hidden className="size-5" />}
            Upload product images
          </Button>
          <CameraButton onTaken={onTaken} className={takeClass}>
            <Camera aria-hidden className="size-5" />
            Take a photo
          </CameraButton>
          <span className="text-sm text-ink-soft max-sm:hidden">
            {checkingCount > 0 ? 'Checking your photo…' : 'or paste one'}
          </span>
        </div>
        <FieldError id="photos-error">{error}</FieldError>
        <p id="photos-hint" className="text-sm text-ink-soft">
          Up to {limits.photos} photos of one product, 20 MB each. {photoFormats}.
        </p>
        <SampleProducts onSample={onSample} />
      </div>
      <Examples />
    </section>
  );
}

/** What becomes of a photo: three images of other products beside a photo. Only where there is room. */
function Examples() {
  const shown = heroPairs.at(-1);
  if (!shown) return null;
  const others = heroPairs.filter((pair) => pair !== shown);
  return (
    <div aria-hidden className="relative max-lg:hidden">
      <div className="ml-auto grid w-4/5 grid-cols-2 gap-3">
        {[shown, ...others].map(({ image: picture }, index) => (
          <span
            key={picture.name}
            className={clsx(
              'overflow-hidden rounded-card border border-line shadow-card',
              index === 0 && 'col-span-2',
            )}
          >
            <Picture
              picture={picture}
              alt=""
              sizes="340px"
              className={clsx('w-full object-cover', index === 0 ? 'aspect-[16/10]' : 'aspect-square')}
            />
          </span>
        ))}
      </div>
      <span className="absolute top-1/2 left-0 w-2/5 -translate-y-1/2 -rotate-3 overflow-hidden rounded-card border-4 border-surface shadow-lift">
        <Picture picture={shown.photo} alt="" sizes="170px" className="aspect-[4/5] w-full object-cover" />
        <span className="absolute bottom-2 left-2 rounded-full bg-[#17120ccc] px-2.5 py-0.5 text-xs font-semibold text-[#fffdf9]">
          Your photo
        </span>
      </span>
    </div>
  );
}

/** Sample products for a seller who has no photo at hand: one click fills in the form. */
function SampleProducts({ onSample }: { onSample: OnSample }) {
  const { mutate, isPending } = useMutation({
    mutationFn: fetchSample,
    onSuccess: (photo, product) => onSample(product, photo),
    onError: (error) => toastError(messageOf(error)),
  });
  return (
    <div className="mt-2 grid gap-2">
      <p id="samples-label" className="text-sm font-semibold">
        No photo at hand? Try one of ours
      </p>
      <ul aria-labelledby="samples-label" className="flex flex-wrap gap-3">
        {sampleProducts.map((product) => (
          <li key={product.id} className="w-18">
            <button
              type="button"
              disabled={isPending}
              onClick={() => mutate(product)}
              className="group block w-full rounded-field text-center disabled:opacity-60"
            >
              <span className="block overflow-hidden rounded-field border border-line bg-surface group-hover:border-accent">
                <Picture
                  picture={product.thumbnail}
                  alt=""
                  sizes="72px"
                  loading="eager"
                  className="aspect-square w-full object-cover"
                />
              </span>
              <span className="mt-1 block text-xs leading-snug font-medium">{product.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
