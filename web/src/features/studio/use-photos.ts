import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { toast } from 'sonner';
import { createPhoto, type Photo, releasePhoto, sortFiles } from './photos.ts';
import { readableName } from './product-name.ts';
import type { StudioForm } from './studio-form.ts';

/** Adds photos to the form and takes them out, with the notices for those that do not fit. */
export function usePhotos(form: UseFormReturn<StudioForm>) {
  const held = useRef<Photo[]>([]);
  const givenName = useRef('');
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
      if (accepted[0] === undefined) return;
      set([...held.current, ...accepted.map(createPhoto)]);
      // The first photo names the product, unless the seller did.
      const name = form.getValues('productName') ?? '';
      if (held.current[0]?.file === accepted[0] && (name === '' || name === givenName.current)) {
        givenName.current = readableName(accepted[0].name);
        form.setValue('productName', givenName.current);
      }
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
