import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangeRequest } from '#contract';
import { isOutcomeUnknown, messageOf } from '#web/lib/api.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showRefusal } from '#web/ui/show-refusal.ts';
import { changeGeneration } from './api/change-generation.ts';
import { IdempotencyKey } from './idempotency-key.ts';

/** Changes a finished image, and shows the new version. */
export function useChange(onShow: (id: string) => void) {
  const client = useQueryClient();
  const [key] = useState(() => new IdempotencyKey());
  const { mutate, isPending } = useMutation({
    mutationFn: changeGeneration,
    onSuccess: ({ generations }) => {
      key.clear();
      for (const view of generations) cacheGeneration(client, view);
      const [version] = generations;
      if (!version) return;
      void client.invalidateQueries({ queryKey: queryKeys.versions(version.rootId) });
      onShow(version.id);
    },
    onError: (error) => {
      // Without a reply the same request may be sent again: it must not make a second image.
      if (!isOutcomeUnknown(error)) key.clear();
      showRefusal(messageOf(error));
    },
  });
  return {
    change: (id: string, request: ChangeRequest) =>
      mutate({ id, ...request, idempotencyKey: key.for(JSON.stringify([id, request])) }),
    isPending,
  };
}
