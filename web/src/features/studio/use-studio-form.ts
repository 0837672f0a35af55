import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { useLocation } from 'react-router-dom';
import type { GenerationView } from '#contract';
import type { Draft, SentForm } from '#web/lib/draft.ts';
import { loadPart } from '#web/lib/full-load.ts';
import { randomId } from '#web/lib/hex.ts';
import { waitForWrite } from '#web/lib/leaving.ts';
import {
  chosenProject,
  defaultStudioOptions,
  findStudioOptions,
  type StudioOptions,
  saveStudioOptions,
} from '#web/lib/studio-options.ts';
import type { VisitorPhoto } from '#web/lib/visitor-photo.ts';
import { mayHaveVisitorPhoto } from '#web/lib/visitor-photo-flag.ts';
import { type OptionLimits, usableOptions } from '#web/ui/options/usable-options.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { useFileDrop } from '#web/ui/use-file-drop.ts';
import { productNameFromFile } from './product-name-from-file.ts';
import { withChoice } from './scene-words.ts';
import { emptyForm, type StudioForm, studioSchema } from './studio-form.ts';
import { useDraft } from './use-draft.ts';
import { usePhotos } from './use-photos.ts';

interface StudioFormOptions {
  /** Whose draft is saved; null for none. */
  draftSellerId: string | null;
  /** Called with the form that was sent but not answered before a crash. */
  onSentForm: (sentForm: SentForm) => void;
  optionLimits: OptionLimits;
  /** Called before dropped or pasted photos are added. @returns whether they are another product than those in the form */
  onDropped: () => boolean;
}

/** The studio's form with its photos, which are chosen, dropped or pasted anywhere on the page, and its draft. */
export function useStudioForm({ draftSellerId, onSentForm, optionLimits, onDropped }: StudioFormOptions) {
  const { state } = useLocation();
  const [lastOptions] = useState(() => ({
    ...((draftSellerId !== null && findStudioOptions(draftSellerId)) || defaultStudioOptions),
    ...chosenProject(state),
  }));
  const form = useForm<StudioForm>({
    resolver: zodResolver(studioSchema),
    defaultValues: { ...emptyForm, options: usableOptions(lastOptions, optionLimits) },
  });
  /** Sets the options, also for the next visit. */
  const changeOptions = (options: StudioOptions) => {
    form.setValue('options', options, { shouldDirty: true });
    if (draftSellerId !== null) saveStudioOptions(draftSellerId, options);
  };
  const nameTyped = useRef(false);
  // Registered before the text fields: the first field with an error gets the focus.
  const photosField = useController({ control: form.control, name: 'photos' }).field;
  const photos = usePhotos({
    form,
    isNameTyped: () => nameTyped.current,
    onRefused: toastError,
  });
  const setProductName = (name: string, typed: boolean) => {
    nameTyped.current = typed;
    form.setValue('productName', name, { shouldDirty: true });
  };
  const readForm = (): Draft => {
    const { photos: shown, prompt, productName, photosShow = 'one-product' } = form.getValues();
    return {
      prompt,
      productName: productName ?? '',
      nameTyped: nameTyped.current,
      photosShow,
      photos: shown.map(({ id, file }) => ({ id, file })),
    };
  };
  const restoreForm = (draft: Draft) => {
    const entered = readForm();
    if (photos.isEmpty() && draft.photos.length > 0) {
      photos.replace(draft.photos);
      form.setValue('photosShow', draft.photosShow);
    }
    if (entered.prompt === '') form.setValue('prompt', draft.prompt, { shouldDirty: true });
    if (!entered.nameTyped) setProductName(draft.productName, draft.nameTyped);
  };
  /** Begins with one photo. @param name used unless the seller has typed another one */
  const beginWith = (file: File, name: string, prompt: string) => {
    photos.replace([{ id: randomId(), file }]);
    form.clearErrors();
    form.setValue('prompt', prompt, { shouldDirty: true });
    // As if it came from the file's name: it follows when the seller adds a photo of their own.
    if (!nameTyped.current) setProductName(name, false);
  };
  const fillInVisitorPhoto = ({ file, scene }: VisitorPhoto) => {
    const prompt = form.getValues('prompt');
    beginWith(
      file,
      productNameFromFile(file.name),
      scene ? withChoice({ kind: 'library', id: scene }, prompt) : prompt,
    );
    return saveNow();
  };
  const { saveNow } = useDraft({
    form,
    sellerId: draftSellerId,
    readForm,
    restoreForm,
    onSentForm,
    onRestored: () => {
      if (!mayHaveVisitorPhoto()) return;
      void loadPart(() => import('./take-visitor-photo.ts'))
        .then(({ takeVisitorPhoto }) => takeVisitorPhoto(form.getValues('photos'), fillInVisitorPhoto))
        // Its code could not be loaded: the next studio takes the photo.
        .catch(() => {});
    },
  });
  const dropzone = useFileDrop((files) => {
    const before = readForm();
    if (onDropped()) {
      photos.replace([]);
      setProductName('', false);
      void loadPart(() => import('./offer-earlier-photos.ts')).then(({ offerEarlierPhotos }) =>
        offerEarlierPhotos(() => {
          photos.replace(before.photos);
          setProductName(before.productName, before.nameTyped);
        }),
      );
    }
    photos.add(files);
  });
  return {
    form,
    photosField,
    productNameInput: form.register('productName', {
      onChange: (event: { target: { value: string } }) => {
        nameTyped.current = event.target.value !== '';
      },
    }),
    photoWarnings: photos.warnings,
    cutouts: photos.cutouts,
    checkingPhotos: photos.checkingCount,
    untilPhotosChecked: photos.untilChecked,
    addPhotos: photos.add,
    removePhoto: photos.remove,
    dropzone,
    saveDraft: saveNow,
    /** Fills in a sample product; what the seller has entered stays. */
    fillInSample: (photo: File, { name, scene }: { name: string; scene: string }) => {
      const prompt = form.getValues('prompt');
      beginWith(photo, name, prompt.trim() === '' ? scene : prompt);
    },
    optionLimits,
    changeOptions,
    /**
     * Replaces the content of the form. A seed is used only if the form uses the same one: others were drawn.
     * @returns resolves when a reload keeps it
     */
    fillIn: (
      files: readonly File[],
      {
        prompt,
        productName,
        photosShow,
        options,
        numImages,
      }: Pick<GenerationView, 'prompt' | 'productName' | 'photosShow' | 'options'> & { numImages: number },
    ) => {
      photos.replace(files.map((file) => ({ id: randomId(), file })));
      form.setValue('prompt', prompt, { shouldDirty: true });
      form.setValue('photosShow', photosShow);
      const { seed, ...chosen } = options;
      const { useSeed, seedValue, projectId } = form.getValues('options');
      const next = {
        ...chosen,
        numImages,
        useSeed: useSeed && seedValue === seed,
        seedValue,
        projectId,
      };
      changeOptions(usableOptions(next, optionLimits));
      setProductName(productName, productName !== '');
      return waitForWrite(saveNow());
    },
  };
}
