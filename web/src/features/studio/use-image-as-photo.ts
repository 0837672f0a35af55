import { useMutation } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { GenerationView } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { fetchFile } from './api.ts';

/** The photos of the studio's form. */
export interface FormPhotos {
  /** Checks files and adds them to the photos; says why one is refused. */
  add: (files: readonly File[]) => void;
  untilChecked: () => Promise<void>;
  /** How many photos the form has. */
  count: () => number;
}

/** Adds a finished image, as it was edited, to the form's photos. */
export function useImageAsPhoto({ add, untilChecked, count }: FormPhotos) {
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ url, productName }: { url: string; productName: string }) => {
      // The form takes a product name from the file's name.
      const file = await fetchFile(url, productName || 'image');
      await untilChecked();
      const before = count();
      add([file]);
      await untilChecked();
      return count() > before;
    },
    onSuccess: (added) => added && toast.success('The image is one of your product images now.'),
    onError: (error) => toastError(messageOf(error)),
  });
  return {
    addAsPhoto: ({ edits, image, productName }: GenerationView) => {
      const url = (edits ?? image)?.url;
      if (url !== undefined) mutate({ url, productName });
    },
    addingAsPhoto: isPending,
  };
}
