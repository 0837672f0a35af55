import { QueryClient } from '@tanstack/react-query';
import { ApiError, onUnauthenticated } from '#web/lib/api.ts';
import { applyRevisionRule } from '#web/lib/generations/cache.ts';
import { endSession } from '#web/lib/session.ts';

/** Failures that another try may mend. */
const passing = ['NETWORK', 'UNAVAILABLE', 'INTERNAL'];

/** The app's query cache: refusals are final, lost connections are tried again, a 401 anywhere ends the session. */
export function createAppQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: (count, error) => count < 3 && error instanceof ApiError && passing.includes(error.code),
        retryDelay: (count) => Math.min(1_000 * 2 ** count, 8_000),
      },
    },
  });
  applyRevisionRule(client);
  onUnauthenticated(() => endSession(client, 'expired'));
  return client;
}
