import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { PropsWithChildren } from 'react';
import { ApiError, onUnauthenticated } from '#web/lib/api.ts';
import { beforeFullLoad } from '#web/lib/full-load.ts';
import { keepFields, saveBeforeLeaving, untilUploaded } from '#web/lib/leaving.ts';
import { compareRevisionsOnWrite } from '#web/lib/live/cache.ts';
import { endSession } from '#web/lib/session.ts';

const client = createAppQueryClient();

beforeFullLoad(async () => {
  await untilUploaded();
  await saveBeforeLeaving();
  keepFields();
});

/** Lets pages call the API. */
export function ApiClient({ children }: PropsWithChildren) {
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** Errors that a retry may resolve. */
const retryable = ['NETWORK', 'UNAVAILABLE', 'INTERNAL'];

/** The app's query client: retries temporary errors only; a 401 of any call ends the session. */
function createAppQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: (count, error) => count < 3 && error instanceof ApiError && retryable.includes(error.code),
        retryDelay: (count) => Math.min(1_000 * 2 ** count, 8_000),
      },
      // Also while the browser says that it is offline, which may be wrong.
      mutations: { networkMode: 'always' },
    },
  });
  compareRevisionsOnWrite(client);
  onUnauthenticated(() => endSession(client, 'expired'));
  return client;
}
