import { QueryClientProvider } from '@tanstack/react-query';
import type { PropsWithChildren } from 'react';
import { createAppQueryClient } from './query-client.ts';

const client = createAppQueryClient();

/** Lets pages call the API. */
export function ApiClient({ children }: PropsWithChildren) {
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
