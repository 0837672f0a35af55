import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { toast } from 'sonner';
import { checkFiles, createPhoto, type Photo, releasePhoto } from './photos.ts';
import { productNameFromFile } from './product-name-from-file.ts';
import type { StudioForm } from './studio-form.ts';

/** Adds, removes and replaces the form's photos; shows a toast for rejected files. */
export function usePhotos(form: UseFormReturn<StudioForm>) {
  const photos = useRef<Photo[]>([]);
  const suggestedName = useRef('');
  useEffect(() => () => photos.current.forEach(releasePhoto), []);

  const setPhotos = (next: Photo[]) => {
    photos.current = next;
    form.setValue('photos', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  };
  /** The first photo's file name becomes the product name unless the seller entered one. */
  const suggestName = (file: File) => {
    const name = form.getValues('productName') ?? '';
    if (name !== '' && name !== suggestedName.current) return;
    suggestedName.current = productNameFromFile(file.name);
    form.setValue('productName', suggestedName.current);
  };

  return {
    add: (files: readonly File[]) => {
      const { accepted, messages } = checkFiles(files, photos.current.length);
      for (const message of messages) toast.error(message, { id: message });
      if (accepted[0] === undefined) return;
      const isFirst = photos.current.length === 0;
      setPhotos([...photos.current, ...accepted.map(createPhoto)]);
      if (isFirst) suggestName(accepted[0]);
    },
    remove: (id: string) => {
      photos.current.filter((photo) => photo.id === id).forEach(releasePhoto);
      setPhotos(photos.current.filter((photo) => photo.id !== id));
    },
    replace: (files: readonly File[]) => {
      photos.current.forEach(releasePhoto);
      setPhotos(files.map(createPhoto));
    },
  };
}
