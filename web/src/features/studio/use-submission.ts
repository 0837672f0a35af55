import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { GenerationView } from '../../../../shared/contract/index.ts';
import { ApiError, isUncertain } from '../../lib/api.ts';
import { mergeGeneration } from '../../lib/generations/cache.ts';
import { submitGeneration } from './api/submit-generation.ts';
import { Intent } from './intent.ts';
import { contentOf, type StudioForm } from './studio-form.ts';

/** Tries after the first when no answer came or the service was busy; they carry the same key. */
const retries = 2;

/**
 * Sends the form, at most one at a time.
 * @param onAccepted gets the new generation, the form that it was asked for with, and whether it is to be cancelled:
 *   once everything is sent, stopping the request would not tell whether the server goes on with it
 */
export function useSubmission(onAccepted: (view: GenerationView, form: StudioForm, cancel: boolean) => void) {
  const client = useQueryClient();
  const intent = useRef<Intent>(null);
  intent.current ??= new Intent();
  const underWay = useRef<AbortController>(null);
  /** Part of the request that has been sent, 0 to 1; null when nothing is being sent. */
  const [sent, setSent] = useState<number | null>(null);
  const [stopping, setStopping] = useState(false);

  const { mutate, error, reset } = useMutation({
    mutationFn: ({ form, key, signal }: { form: StudioForm; key: string; signal: AbortSignal }) => {
      setSent(0);
      return submitGeneration({
        photos: form.photos.map(({ file }) => file),
        prompt: form.prompt,
        productName: form.productName?.trim() ?? '',
        idempotencyKey: key,
        onProgress: setSent,
        signal,
      });
    },
    retry: (count, failure) =>
      count < retries &&
      failure instanceof ApiError &&
      ['NETWORK', 'UNAVAILABLE'].includes(failure.code) &&
      !underWay.current?.signal.aborted,
    retryDelay: (count) => 1_000 * 2 ** count,
    // Tried again, not kept until a browser thinks that it is online.
    networkMode: 'always',
    onSuccess: (view, { form }) => {
      intent.current?.settle();
      mergeGeneration(client, view);
      onAccepted(view, form, stopping);
    },
    onError: (failure) => {
      if (!isUncertain(failure)) intent.current?.settle();
    },
    onSettled: () => {
      underWay.current = null;
      setSent(null);
      setStopping(false);
    },
  });

  return {
    sent,
    /** Why the last one was refused; a stop by the seller is no error. */
    error: error instanceof ApiError && error.code === 'ABORTED' ? null : error,
    clearError: reset,
    submit: (form: StudioForm) => {
      // Known at once, unlike state that waits for a render: the second half of a double click ends here.
      if (underWay.current !== null) return;
      underWay.current = new AbortController();
      const key = intent.current?.keyFor(contentOf(form)) ?? '';
      mutate({ form, key, signal: underWay.current.signal });
    },
    stopping,
    stop: () => {
      if (sent === 1) setStopping(true);
      else underWay.current?.abort();
    },
  };
}
