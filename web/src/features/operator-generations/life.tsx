import clsx from 'clsx';
import type { LifeEvent } from '#contract';
import { useDates } from '#web/lib/dates.ts';

/** Everything that happened to a generation, with the time since the event before. */
export function Life({ events }: { events: readonly LifeEvent[] }) {
  const dates = useDates();
  return (
    <ol className="grid">
      {events.map(({ at, title, details, problem }, index) => {
        const before = events.slice(0, index).findLast((event) => event.at !== null)?.at;
        return (
          <li
            key={`${at} ${title} ${details}`}
            className="relative border-l-2 border-line pb-4 pl-5 last:border-transparent last:pb-0"
          >
            <span
              aria-hidden
              className={clsx(
                'absolute top-1.5 -left-[5px] size-2 rounded-full',
                problem ? 'bg-danger' : 'bg-ink-soft',
              )}
            />
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-[0.9375rem]">
              <span className={clsx('font-semibold', problem && 'text-danger')}>{title}</span>
              {at !== null && (
                <time dateTime={at} className="text-sm text-ink-soft tabular-nums">
                  {dates.dateTime(at)}
                  {before && ` (+${((Date.parse(at) - Date.parse(before)) / 1_000).toFixed(2)} s)`}
                </time>
              )}
            </div>
            {details !== '' && <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{details}</p>}
          </li>
        );
      })}
    </ol>
  );
}
