import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { toast } from 'sonner';
import { createPhoto, type Photo, releasePhoto, sortFiles } from './photos.ts';
import { readableName } from './product-name.ts';
import type { StudioForm } from './studio-form.ts';

/** Adds photos to the form and takes them out, with the notices for those that do not fit. */
export function usePhotos(form: UseFormReturn<StudioForm>) {
  const held = useRef<Photo[]>([]);
  // The previews' memory goes back when the page is left.
  useEffect(() => () => held.current.forEach(releasePhoto), []);

  const set = (photos: Photo[]) => {
    held.current = photos;
    form.setValue('photos', photos, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  };

  return {
    add: (files: readonly File[]) => {
      const { accepted, notices } = sortFiles(files, held.current.length);
      for (const notice of notices) toast.error(notice, { id: notice });
      if (accepted.length === 0) return;
      const photos = [...held.current, ...accepted.map(createPhoto)];
      set(photos);
      const nameable = form.getValues('productName') === '' && !form.formState.dirtyFields.productName;
      if (nameable && photos[0]) form.setValue('productName', readableName(photos[0].file.name));
    },
    remove: (id: string) => {
      held.current.filter((photo) => photo.id === id).forEach(releasePhoto);
      set(held.current.filter((photo) => photo.id !== id));
    },
    replace: (files: readonly File[]) => {
      held.current.forEach(releasePhoto);
      set(files.map(createPhoto));
    },
  };
}
