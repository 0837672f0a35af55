import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { ApiError, type FailureCode } from '#web/lib/api.ts';

/** What became of the link that led here. */
export type LinkOutcome<Reply> =
  | { state: 'working' }
  | { state: 'done'; reply: Reply }
  | { state: 'failed'; code: FailureCode; error: Error; tryAgain: () => void };

/**
 * Uses the link of a mail at once: its `?token=` works a single time, so it is sent a single time.
 * @param name tells the kinds of links apart
 * @param use the call that takes the token
 */
export function useLink<Reply>(
  name: string,
  use: (token: string) => Promise<Reply>,
): { token: string; outcome: LinkOutcome<Reply> } {
  const token = useSearchParams()[0].get('token') ?? '';
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['link', name, token],
    queryFn: async () => {
      if (token === '') throw new ApiError('TOKEN_INVALID', 'This link is not complete.');
      return { reply: await use(token) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (data) return { token, outcome: { state: 'done', reply: data.reply } };
  if (!error || isFetching) return { token, outcome: { state: 'working' } };
  const code = error instanceof ApiError ? error.code : 'INTERNAL';
  return { token, outcome: { state: 'failed', code, error, tryAgain: () => refetch() } };
}
