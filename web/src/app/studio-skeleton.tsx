import { SkeletonBlock } from '#web/ui/skeleton.tsx';

/** The studio while its code or the account is loading: form, main area and earlier images. */
export function StudioSkeleton() {
  return (
    <div
      role="status"
      className="mx-auto grid w-full max-w-[100rem] items-start gap-5 px-4 pt-5 sm:px-6 lg:grid-cols-[22rem_minmax(0,1fr)] xl:grid-cols-[22rem_minmax(0,1fr)_17rem]"
    >
      <span className="sr-only">Loading…</span>
      <div className="rounded-card border border-line bg-surface p-4 sm:p-6">
        <SkeletonBlock className="h-5 w-32" />
        <SkeletonBlock className="mt-3 h-32 w-full" />
        <SkeletonBlock className="mt-6 h-5 w-36" />
        <SkeletonBlock className="mt-3 h-28 w-full" />
        <SkeletonBlock className="mt-8 h-11 w-full rounded-full" />
      </div>
      <div className="rounded-card border border-line bg-surface p-4 sm:p-6">
        <SkeletonBlock className="mb-4 h-7 w-52" />
        <SkeletonBlock className="stage-frame" />
      </div>
      <div className="max-xl:hidden">
        <SkeletonBlock className="mb-4 h-6 w-32" />
        <SkeletonBlock className="aspect-square w-1/2" />
      </div>
    </div>
  );
}

/** The studio before it is known who is signed in: without the layout around it. */
export function StudioPageSkeleton() {
  return (
    <main aria-busy>
      <div className="h-[3.8125rem] border-b border-line bg-surface" />
      <StudioSkeleton />
    </main>
  );
}
