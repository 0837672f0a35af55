import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { closedUntil, type Service } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { fetchService } from './api.ts';

const refetchMs = 60_000;

/** Facts about this installation, asked again every minute while a page is shown. */
export function useService(): Service | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.service,
    queryFn: ({ signal }) => fetchService(signal),
    refetchInterval: refetchMs,
  });
  return data;
}

/** @returns until when no new images are accepted, in ISO 8601; null if they are */
export function useClosedUntil(): string | null {
  const banner = useService()?.banner ?? null;
  const [now, setNow] = useState(() => new Date());
  const { closedFrom, until } = banner ?? {};
  useEffect(() => {
    const next = [closedFrom, until]
      .filter((moment) => typeof moment === 'string')
      .map((moment) => Date.parse(moment) - Date.now())
      .filter((ms) => ms > 0);
    if (next.length === 0) return;
    const timer = setTimeout(() => setNow(new Date()), Math.min(...next, 2 ** 31 - 1) + 1);
    return () => clearTimeout(timer);
  });
  return closedUntil(banner, now);
}

/** In place of the button that makes images, while none are accepted. */
export function ClosedMessage({ until }: { until: string }) {
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
