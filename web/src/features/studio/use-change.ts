import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangeRequest } from '#contract';
import { isOutcomeUnknown } from '#web/lib/api.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { changeGeneration } from './api/change-generation.ts';
import { IdempotencyKey } from './idempotency-key.ts';

interface ChangeOutcomes {
  /** @param id the new version */
  onChanged: (id: string) => void;
  onError: (error: Error) => void;
}

/** Changes a finished image. */
export function useChange({ onChanged, onError }: ChangeOutcomes) {
  const client = useQueryClient();
  const [key] = useState(() => new IdempotencyKey());
  const { mutate, isPending, error, reset } = useMutation({
    networkMode: 'always',
    mutationFn: changeGeneration,
    onSuccess: ({ generations }) => {
      key.clear();
      for (const view of generations) cacheGeneration(client, view);
      const [version] = generations;
      if (!version) return;
      void client.invalidateQueries({ queryKey: queryKeys.versions(version.rootId) });
      onChanged(version.id);
    },
    onError: (failure) => {
      // Without a reply the same request may be sent again: it must not make a second image.
      if (!isOutcomeUnknown(failure)) key.clear();
      onError(failure);
    },
  });
  return {
    change: (id: string, request: ChangeRequest) =>
      mutate({ id, ...request, idempotencyKey: key.for(JSON.stringify([id, request])) }),
    isPending,
    error,
    clearError: reset,
  };
}
