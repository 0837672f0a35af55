import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { GenerationView } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { fetchPhotos } from './api.ts';
import { fingerprintOf, type StudioForm } from './studio-form.ts';

interface LastSubmission {
  id: string;
  fingerprint: string;
}

interface RetryOptions {
  form: UseFormReturn<StudioForm>;
  /** Replaces the content of the form. */
  fillIn: (
    files: readonly File[],
    settings: Pick<GenerationView, 'prompt' | 'productName' | 'photosShow' | 'options'>,
  ) => void;
  /** Submits the form. */
  generate: () => void;
}

/** Submits an ended generation again, with its photos, texts and options even if the form has changed since. */
export function useRetry({ form, fillIn, generate }: RetryOptions) {
  const lastSubmission = useRef<LastSubmission>(null);
  const { mutate, isPending } = useMutation({
    networkMode: 'online',
    mutationFn: async (view: GenerationView) => {
      const unchanged =
        // A retry makes one image.
        view.set.size === 1 &&
        lastSubmission.current?.id === view.id &&
        lastSubmission.current.fingerprint === fingerprintOf(form.getValues());
      if (unchanged) return;
      fillIn(await fetchPhotos(view), view);
    },
    onSuccess: () => generate(),
    onError: (error) => toastError(messageOf(error)),
  });
  return {
    retry: mutate,
    retrying: isPending,
    /** Records the form of an accepted submission: while it is unchanged, a retry does not fetch the photos. */
    recordSubmission: (id: string, submitted: StudioForm) => {
      lastSubmission.current = { id, fingerprint: fingerprintOf(submitted) };
    },
  };
}
