import clsx from 'clsx';

/** What a new account gets without paying. */
export function FreeImages({ className }: { className?: string }) {
  return <p className={clsx('text-balance', className)}>Your first images are free. No card needed.</p>;
}
