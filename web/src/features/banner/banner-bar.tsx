import { useQuery } from '@tanstack/react-query';
import { Megaphone } from 'lucide-react';
import { queryKeys } from '#web/lib/query-keys.ts';
import { fetchService } from './api.ts';

const refetchMs = 60_000;

/** What the operators have to say to sellers, on every page; nothing most of the time. */
export function BannerBar() {
  const { data } = useQuery({
    queryKey: queryKeys.service,
    queryFn: ({ signal }) => fetchService(signal),
    refetchInterval: refetchMs,
  });
  if (!data?.banner) return null;
  return (
    <aside aria-label="Message" className="border-b border-line bg-sunken">
      <p
        role="status"
        className="mx-auto flex max-w-[100rem] items-start gap-3 px-4 py-2.5 text-[0.9375rem] break-words sm:px-6"
      >
        <Megaphone aria-hidden className="mt-0.5 size-4.5 shrink-0" />
        {data.banner.text}
      </p>
    </aside>
  );
}
