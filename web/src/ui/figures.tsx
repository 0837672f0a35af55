import type { ReactNode } from 'react';

/** Named figures side by side, such as the numbers of jobs. */
export function Figures({ items }: { items: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-[repeat(auto-fit,minmax(7rem,1fr))]">
      {items.map(({ name, value }) => (
        <div key={name} className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-ink-soft">{name}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
