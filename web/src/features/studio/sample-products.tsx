import { useMutation } from '@tanstack/react-query';
import { messageOf } from '#web/lib/api.ts';
import { type SampleProduct, sampleProducts } from '#web/pictures/products.ts';
import { Picture } from '#web/ui/picture.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { fetchSample } from './api.ts';

/** Called with a sample product and its photo. */
export type OnSample = (product: SampleProduct, photo: File) => void;

/** Sample products for a seller who has no photo at hand: one click fills in the form. */
export function SampleProducts({ onSample }: { onSample: OnSample }) {
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
