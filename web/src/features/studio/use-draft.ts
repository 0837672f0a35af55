import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { findDraft, keepDraft } from '#web/lib/draft.ts';
import type { StudioForm } from './studio-form.ts';

/** Time without typing after which the draft is kept, in ms. */
const pause = 400;

/**
 * Keeps what is in the form while one is elsewhere, and brings it back.
 * @param sellerId whose draft it is; null keeps nothing
 * @param replacePhotos puts files into the slots
 */
export function useDraft(
  form: UseFormReturn<StudioForm>,
  sellerId: string | null,
  replacePhotos: (files: File[]) => void,
): void {
  const client = useQueryClient();
  const restore = useEffectEvent(() => {
    const draft = sellerId === null ? null : findDraft(client, sellerId);
    if (draft === null) return;
    replacePhotos(draft.files);
    form.setValue('prompt', draft.prompt);
    form.setValue('productName', draft.productName, { shouldDirty: true });
  });
  const keep = useEffectEvent(() => {
    if (sellerId === null) return;
    const { photos, prompt, productName } = form.getValues();
    keepDraft(client, {
      sellerId,
      prompt,
      productName: productName ?? '',
      files: photos.map(({ file }) => file),
    });
  });
  const { subscribe } = form;
  useEffect(() => {
    restore();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer);
        timer = setTimeout(() => keep(), pause);
      },
    });
    // The last words before a reload, too.
    const leave = () => keep();
    window.addEventListener('pagehide', leave);
    return () => {
      clearTimeout(timer);
      unsubscribe();
      window.removeEventListener('pagehide', leave);
      keep();
    };
  }, [subscribe]);
}
