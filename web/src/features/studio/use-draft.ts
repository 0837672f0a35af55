import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { StudioForm } from './studio-form.ts';

interface Draft {
  files: File[];
  prompt: string;
  productName: string;
}

const key = ['draft'] as const;

/**
 * Keeps what is in the form while one is on another page of the app. It lies in the query cache, which a new session
 * of another seller clears.
 * @param replacePhotos puts files into the slots
 */
export function useDraft(form: UseFormReturn<StudioForm>, replacePhotos: (files: File[]) => void): void {
  const client = useQueryClient();
  const restore = useEffectEvent(() => {
    const draft = client.getQueryData<Draft>(key);
    if (draft === undefined) return;
    replacePhotos(draft.files);
    form.setValue('prompt', draft.prompt);
    form.setValue('productName', draft.productName, { shouldDirty: true });
  });
  const keep = useEffectEvent(() => {
    const { photos, prompt, productName } = form.getValues();
    client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
    client.setQueryData<Draft>(key, {
      files: photos.map(({ file }) => file),
      prompt,
      productName: productName ?? '',
    });
  });
  useEffect(() => {
    restore();
    return () => keep();
  }, []);
}
