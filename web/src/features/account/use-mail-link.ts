import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { ApiError, type FailureCode } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';

/** The result of using a link from a mail. */
export type MailLinkResult<Reply> =
  | { state: 'pending' }
  | { state: 'done'; reply: Reply }
  | { state: 'failed'; code: FailureCode; error: Error; retry: () => void };

/**
 * Sends the `?token=` of a link from a mail when the page opens. A token works once, so it is sent once.
 * @param name of this kind of link
 */
export function useMailLink<Reply>(
  name: string,
  call: (token: string) => Promise<Reply>,
): { token: string; result: MailLinkResult<Reply> } {
  const token = useSearchParams()[0].get('token') ?? '';
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: queryKeys.mailLink(name, token),
    queryFn: async () => {
      if (token === '') throw new ApiError('TOKEN_INVALID', 'This link is incomplete.');
      return { reply: await call(token) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (data) return { token, result: { state: 'done', reply: data.reply } };
  if (!error || isFetching) return { token, result: { state: 'pending' } };
  const code = error instanceof ApiError ? error.code : 'INTERNAL';
  return { token, result: { state: 'failed', code, error, retry: () => refetch() } };
}
