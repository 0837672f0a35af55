import { Megaphone } from 'lucide-react';
import { useDates } from '#web/lib/dates.ts';
import { useService } from './maintenance.tsx';

/** What the operators have to say to sellers, on every page; nothing most of the time. */
export function BannerBar() {
  const banner = useService()?.banner;
  const dates = useDates();
  if (!banner) return null;
  const { text, closedFrom, until } = banner;
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
