import clsx from 'clsx';
import { facts } from '#web/content/facts.ts';
import { useService } from '#web/lib/service.ts';

/** What a new account gets without paying: the default number until this installation's is known. */
export function FreeImages({ className }: { className?: string }) {
  const count = useService()?.freeImages ?? Number(facts.welcomeImages);
  if (count === 0) return null;
  return (
    <p className={clsx('text-balance', className)}>
      {count === 1 ? 'Your first image is free.' : `Your first ${count} images are free.`} No card needed.
    </p>
  );
}
