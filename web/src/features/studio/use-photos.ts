import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { DraftPhoto } from '#web/lib/draft.ts';
import { checkFiles, createPhoto, type Photo, releasePhoto } from './photos.ts';
import { automaticName } from './product-name-from-file.ts';
import type { StudioForm } from './studio-form.ts';

interface PhotosOptions {
  form: UseFormReturn<StudioForm>;
  /** Whether the seller typed the product name. */
  isNameTyped: () => boolean;
  /** Called with the reason for files that cannot be added. */
  onRefused: (message: string) => void;
}

/** Adds, removes and replaces the form's photos. The product name follows them unless it was typed. */
export function usePhotos({ form, isNameTyped, onRefused }: PhotosOptions) {
  const photos = useRef<Photo[]>([]);
  useEffect(() => () => photos.current.forEach(releasePhoto), []);

  const setPhotos = (next: Photo[]) => {
    const nameBefore = automaticName(photos.current);
    photos.current = next;
    form.setValue('photos', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    const name = automaticName(next);
    // An automatic name that the seller emptied stays empty until another photo gives another one.
    if (name !== nameBefore && !isNameTyped()) form.setValue('productName', name);
  };

  return {
    add: (files: readonly File[]) => {
      const { accepted, messages } = checkFiles(files, photos.current.length);
      for (const message of messages) onRefused(message);
      if (accepted.length > 0) setPhotos([...photos.current, ...accepted.map((file) => createPhoto(file))]);
    },
    remove: (id: string) => {
      photos.current.filter((photo) => photo.id === id).forEach(releasePhoto);
      setPhotos(photos.current.filter((photo) => photo.id !== id));
    },
    /** Puts these photos in the place of the form's; the product name stays as it is. */
    replace: (next: readonly DraftPhoto[]) => {
      photos.current.forEach(releasePhoto);
      photos.current = next.map(({ id, file }) => createPhoto(file, id));
      form.setValue('photos', photos.current, {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      });
    },
  };
}
