import clsx from 'clsx';
import { useFreeImages } from '#web/lib/free-images.ts';

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
