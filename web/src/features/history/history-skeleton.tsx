import { Bone } from '#web/ui/skeleton.tsx';

/** The columns of the list. */
export const historyGridClass =
  'grid grid-cols-2 gap-x-3 gap-y-4 min-[30rem]:grid-cols-3 md:grid-cols-4 xl:grid-cols-2';

/** The shape of the list while it is loading. */
export function HistorySkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading…</span>
      <div aria-hidden className={historyGridClass}>
        {Array.from({ length: 4 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all alike
          <div key={index}>
            <Bone className="aspect-square w-full" />
            <Bone className="mt-2 h-4 w-3/4" />
            <Bone className="mt-1.5 h-3 w-1/2" />
          </div>
        ))}
      </div>
    </div>
  );
}
