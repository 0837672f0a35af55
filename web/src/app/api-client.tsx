import { QueryClientProvider } from '@tanstack/react-query';
import type { PropsWithChildren } from 'react';
import { beforeFullLoad } from '#web/lib/full-load.ts';
import { keepFields, saveBeforeLeaving, untilUploaded } from '#web/lib/leaving.ts';
import { createAppQueryClient } from './query-client.ts';

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
