import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { findDraft, saveDraft } from '#web/lib/draft.ts';
import type { StudioForm } from './studio-form.ts';

/** Time without a change after which the draft is saved. */
const saveDelayMs = 400;

/**
 * Restores the draft when the studio opens, and saves it as the form changes.
 * @param sellerId whose draft; null saves and restores nothing
 * @param replacePhotos puts files into the form
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
  const save = useEffectEvent(() => {
    if (sellerId === null) return;
    const { photos, prompt, productName } = form.getValues();
    saveDraft(client, {
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
        timer = setTimeout(() => save(), saveDelayMs);
      },
    });
    // Changes right before a reload are saved, too.
    const onPageHide = () => save();
    window.addEventListener('pagehide', onPageHide);
    return () => {
      clearTimeout(timer);
      unsubscribe();
      window.removeEventListener('pagehide', onPageHide);
      save();
    };
  }, [subscribe]);
}
