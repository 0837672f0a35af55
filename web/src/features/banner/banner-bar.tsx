import { useQuery } from '@tanstack/react-query';
import { createComponentCode, useComponentCode } from '#web/lib/component-code.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { fetchService } from './api.ts';

const refetchMs = 60_000;

const useBanner = () =>
  useQuery({
    queryKey: queryKeys.service,
    queryFn: ({ signal }) => fetchService(signal),
    refetchInterval: refetchMs,
  }).data?.banner;

/** @returns until when no new images are accepted, in ISO 8601; null or undefined if they are */
export const useClosedUntil = () => useBanner()?.closedUntil;

const code = createComponentCode(async () => (await import('./messages.tsx')).BannerMessage);

/**
 * What the operators have to say to sellers, on every page; nothing most of the time.
 * @param until in place of the button that makes images: when they are accepted again
 */
export function BannerBar({ until }: { until?: string }) {
  const banner = useBanner();
  const Message = useComponentCode(code, !!banner);
  return banner && Message && <Message banner={banner} until={until} />;
}
