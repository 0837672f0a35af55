import { zodResolver } from '@hookform/resolvers/zod';
import { useDropzone } from 'react-dropzone';
import { useController, useForm } from 'react-hook-form';
import { emptyForm, type StudioForm, studioSchema } from './studio-form.ts';
import { useDraft } from './use-draft.ts';
import { usePastedFiles } from './use-pasted-files.ts';
import { usePhotos } from './use-photos.ts';

/**
 * The studio's form with its photos, which are chosen, dropped or pasted anywhere on the page, and its draft.
 * @param draftSellerId whose draft is saved; null for none
 */
export function useStudioForm(draftSellerId: string | null) {
  const form = useForm<StudioForm>({ resolver: zodResolver(studioSchema), defaultValues: emptyForm });
  // Registered before the text fields: the first field with an error gets the focus.
  const photosField = useController({ control: form.control, name: 'photos' }).field;
  const photos = usePhotos(form);
  useDraft(form, draftSellerId, photos.replace);
  usePastedFiles(photos.add);
  const dropzone = useDropzone({ onDrop: (files) => photos.add(files), noClick: true, noKeyboard: true });
  return { form, photosField, removePhoto: photos.remove, replacePhotos: photos.replace, dropzone };
}
