import { Megaphone } from 'lucide-react';
import type { Banner } from '#contract';
import { useDates } from '#web/lib/dates.ts';

/**
 * The banner, with the times of a maintenance.
 * @param until then what is in place of the button that makes images: when they are accepted again
 */
export function BannerMessage({ banner, until }: { banner: Banner; until?: string | undefined }) {
  return until === undefined ? <Bar banner={banner} /> : <Closed until={until} />;
}

function Bar({ banner: { text, closedFrom, until } }: { banner: Banner }) {
  const dates = useDates();
  return (
    <aside aria-label="Message" className="border-b border-line bg-sunken">
      <p
        role="status"
        className="mx-auto flex max-w-[100rem] items-start gap-3 px-4 py-2.5 text-[0.9375rem] break-words sm:px-6"
      >
        <Megaphone aria-hidden className="mt-0.5 size-4.5 shrink-0" />
        <span>
          {text}
          {closedFrom !== null && until !== null && (
            <>
              {' '}
              No new images from {dates.shortDateTime(closedFrom)} to {dates.shortDateTime(until)}.
            </>
          )}
        </span>
      </p>
    </aside>
  );
}

function Closed({ until }: { until: string }) {
  const dates = useDates();
  return (
    <div role="status">
      <p className="font-semibold">Packshot is being maintained</p>
      <p className="mt-0.5 text-sm text-ink-soft">
        You can create images again at {dates.shortDateTime(until)}. Your photos and your text stay here.
      </p>
    </div>
  );
}
