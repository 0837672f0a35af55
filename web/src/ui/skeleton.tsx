import clsx from 'clsx';

/** A grey bar or box in place of content that is loading; its size comes from `className`. */
export function SkeletonBlock({ className }: { className: string }) {
  return <span aria-hidden className={clsx('block animate-pulse rounded-field bg-sunken', className)} />;
}

/** The rows of a list that is loading, as high as the list will be at least, so that nothing below moves. */
export function ListSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div role="status" className="mt-2 grid gap-3">
      <span className="sr-only">Loading…</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never change
        <span key={row} className="flex min-h-11 items-center gap-4">
          <SkeletonBlock className="h-4 w-2/5" />
          <SkeletonBlock className="ml-auto h-4 w-24" />
        </span>
      ))}
    </div>
  );
}

/** A page inside the signed-in layout whose code is loading: a title and two cards. */
export function PageSkeleton() {
  return (
    <div role="status" className="mx-auto w-full max-w-5xl px-4 py-8 sm:px-6 sm:py-12">
      <span className="sr-only">Loading…</span>
      <SkeletonBlock className="h-9 w-56" />
      {['first', 'second'].map((card) => (
        <div key={card} className="mt-6 rounded-card border border-line bg-surface p-5 sm:p-7">
          <SkeletonBlock className="h-5 w-40" />
          <SkeletonBlock className="mt-5 h-4 w-full" />
          <SkeletonBlock className="mt-3 h-4 w-3/5" />
        </div>
      ))}
    </div>
  );
}
