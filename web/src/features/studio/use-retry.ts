import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { GenerationView } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { fetchPhotos } from './api.ts';
import { fingerprintOf, type StudioForm } from './studio-form.ts';

interface FilledIn {
  setId: string;
  fingerprint: string;
}

interface RetryOptions {
  form: UseFormReturn<StudioForm>;
  /** Replaces the content of the form. Resolves when a reload keeps it. */
  fillIn: (
    files: readonly File[],
    settings: Pick<GenerationView, 'prompt' | 'productName' | 'photosShow' | 'options'> & {
      numImages: number;
    },
  ) => Promise<void>;
  /** Submits the form. */
  generate: () => void;
  /** Called when the form has what an image was made from. */
  onFilledIn: () => void;
}

/** Puts photos, texts and options of an ended generation into the form, even if it has changed since, and submits them again. */
export function useRetry({ form, fillIn, generate, onFilledIn }: RetryOptions) {
  /** The generation that was made from the form, or whose content was put into it. */
  const [last, setLast] = useState<FilledIn | null>(null);
  const isUnchanged = ({ set }: GenerationView) =>
    last?.setId === set.id && last.fingerprint === fingerprintOf(form.getValues());
  const fill = async (view: GenerationView, numImages: number) => {
    const saved = fillIn(await fetchPhotos(view), { ...view, numImages });
    setLast({ setId: view.set.id, fingerprint: fingerprintOf(form.getValues()) });
    await saved;
  };
  const onError = (error: Error) => toastError(messageOf(error));
  const retry = useMutation({
    networkMode: 'online',
    mutationFn: async (view: GenerationView) => {
      // A retry makes one image.
      if (view.set.size === 1 && isUnchanged(view)) return;
      await fill(view, 1);
    },
    onSuccess: () => generate(),
    onError,
  });
  const filling = useMutation({
    networkMode: 'online',
    mutationFn: (view: GenerationView) => fill(view, view.set.size),
    onSuccess: onFilledIn,
    onError,
  });
  return {
    retry: retry.mutate,
    retrying: retry.isPending,
    /** Puts what an image was made from into the form, without submitting it. */
    fillInFrom: filling.mutate,
    /** Whether the form has what this image was made from. */
    isInForm: isUnchanged,
    /** Records the form of an accepted submission: while it is unchanged, a retry does not fetch the photos. */
    recordSubmission: ({ set }: GenerationView, submitted: StudioForm) =>
      setLast({ setId: set.id, fingerprint: fingerprintOf(submitted) }),
  };
}
