import clsx from 'clsx';
import { useSyncExternalStore } from 'react';
import { usualFreeImages } from '#web/content/usual-free-images.ts';

/** What a new account gets without paying. */
export function FreeImages({ className }: { className?: string }) {
  const count = useFreeImages();
  if (count === 0) return null;
  return (
    <p className={clsx('text-balance', className)}>
      {count === 1 ? 'Your first image is free.' : `Your first ${count} images are free.`} No card needed.
    </p>
  );
}

const subscribe = () => () => {};

/** Images that a new account of this installation gets for free: the server writes it into the document. */
export function useFreeImages(): number {
  return useSyncExternalStore(
    subscribe,
    () => Number(document.documentElement.dataset.freeImages ?? usualFreeImages),
    () => usualFreeImages,
  );
}
