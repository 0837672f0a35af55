import { SkeletonBlock } from '#web/ui/skeleton.tsx';

/** The studio while its code or the account is loading: main area, earlier images and the dock. */
export function StudioSkeleton() {
  return (
    <div
      role="status"
      className="mx-auto flex min-h-[calc(100dvh-3.8125rem-var(--bottom-bar))] w-full max-w-[100rem] flex-col gap-5 px-4 pt-5 sm:px-6"
    >
      <span className="sr-only">Loading…</span>
      <SkeletonBlock className="min-h-60 grow rounded-[1.75rem]!" />
      <SkeletonBlock className="h-24 w-full" />
      <div className="-mx-4 h-52 rounded-t-card border-t border-line bg-surface p-3 sm:mx-0 sm:mb-4 sm:rounded-card sm:border lg:h-33">
        <SkeletonBlock className="h-16 w-full" />
        <SkeletonBlock className="mt-3 h-9 w-2/3" />
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
