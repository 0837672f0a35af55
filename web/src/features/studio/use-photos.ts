import { useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { clientErrors, limits, type PhotoWarning, paths } from '#contract';
import { ApiError, callApi } from '#web/lib/api.ts';
import type { DraftPhoto } from '#web/lib/draft.ts';
import { useCutouts } from './cutouts.ts';
import { checkFiles, createPhoto, type Photo, releasePhoto } from './photos.ts';
import { automaticName } from './product-name-from-file.ts';
import type { StudioForm } from './studio-form.ts';

const importInspection = () => import('#web/lib/inspect-photo.ts');

/** The warnings of photos, by their ids. */
export type PhotoWarnings = Readonly<Record<string, readonly PhotoWarning[]>>;

interface PhotosOptions {
  form: UseFormReturn<StudioForm>;
  /** Whether the seller typed the product name. */
  isNameTyped: () => boolean;
  /** Called with the reason for files that cannot be added. */
  onRefused: (message: string) => void;
}

/**
 * Adds, removes and replaces the form's photos. A file is checked before it is added. The product name follows the photos
 * unless it was typed.
 */
export function usePhotos({ form, isNameTyped, onRefused }: PhotosOptions) {
  const photos = useRef<Photo[]>([]);
  /** Resolves when every file so far was added or refused. */
  const checked = useRef<Promise<void>>(Promise.resolve());
  const [checkingCount, setCheckingCount] = useState(0);
  /** The same for who adds files from an earlier rendering. */
  const checking = useRef(0);
  const countChecking = (more: number) => {
    checking.current += more;
    setCheckingCount(checking.current);
  };
  const [warnings, setWarnings] = useState<PhotoWarnings>({});
  const { cutouts, save: saveCutout, saveUnanswered } = useCutouts();
  /** What stops the server's check of each photo. */
  const asked = useRef(new Map<string, AbortController>());
  const stopAsking = (id: string) => asked.current.get(id)?.abort();
  // Without it, the first photo only waits longer for its cutout.
  useEffect(() => {
    callApi('POST', paths.startPhotoChecks, { status: 204, check: '' }).catch(() => {});
  }, []);
  useEffect(
    () => () => {
      photos.current.forEach(releasePhoto);
      for (const each of asked.current.values()) each.abort();
    },
    [],
  );

  const setPhotos = (next: Photo[]) => {
    const nameBefore = automaticName(photos.current);
    photos.current = next;
    form.setValue('photos', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    const name = automaticName(next);
    // An automatic name that the seller emptied stays empty until another photo gives another one.
    if (name !== nameBefore && !isNameTyped()) form.setValue('productName', name);
  };
  const saveWarnings = (id: string, found: readonly PhotoWarning[]) =>
    setWarnings((known) => ({ ...known, [id]: found }));
  const saveInspection = async (
    id: string,
    { warnings: found, copy }: { warnings: readonly PhotoWarning[]; copy: string | null },
  ) => {
    saveWarnings(id, found);
    if (copy === null) return saveCutout(id, null);
    const stop = new AbortController();
    asked.current.set(id, stop);
    const { checkOnServer } = await importInspection();
    const checked = await checkOnServer(copy, stop.signal, { cutout: true, hands: false });
    if (stop.signal.aborted) return;
    if (checked === null) {
      saveUnanswered(id);
      // Asked again when there is a connection, unless the photo is gone by then.
      const askAgain = () => void saveInspection(id, { warnings: found, copy });
      window.addEventListener('online', askAgain, { once: true, signal: stop.signal });
      return;
    }
    saveWarnings(id, [...found, ...checked.warnings]);
    await saveCutout(id, checked.cutout);
    // Nobody waits for this.
    const withHands = await checkOnServer(copy, stop.signal);
    if (stop.signal.aborted) return;
    if (withHands?.checked) saveWarnings(id, [...found, ...withHands.warnings]);
    if (asked.current.get(id) === stop) asked.current.delete(id);
  };
  const check = async (file: File) => {
    // Loaded with the first photo. The server judges what could not be checked; a full load would lose the photo.
    const inspection = await importInspection().catch(() => null);
    if (inspection === null) return { file, warnings: [], copy: null };
    try {
      return await inspection.inspectPhoto(file);
    } catch (error) {
      const isRefused = error instanceof inspection.RefusedPhoto || error instanceof ApiError;
      if (!isRefused) return { file, warnings: [], copy: null };
      onRefused(error.message);
      return null;
    }
  };
  const addChecked = async (files: readonly File[]) => {
    // One after the other: decoding several large photos at once would take a phone's memory.
    for (const file of files) {
      const inspected = await check(file);
      countChecking(-1);
      if (inspected === null) continue;
      // Files that were added in the meantime may have taken the slot.
      if (photos.current.length >= limits.photos) {
        onRefused(clientErrors.TOO_MANY_FILES[1]);
        continue;
      }
      const photo = createPhoto(inspected.file);
      void saveInspection(photo.id, inspected);
      setPhotos([...photos.current, photo]);
    }
  };

  return {
    /** How many files are being checked. */
    checkingCount,
    /** Whether there is none, and none is being checked. */
    isEmpty: () => photos.current.length + checking.current === 0,
    warnings,
    cutouts,
    /** Resolves when every file so far was added or refused. */
    untilChecked: () => checked.current,
    add: (files: readonly File[]) => {
      const { accepted, messages } = checkFiles(files, photos.current.length + checking.current);
      for (const message of messages) onRefused(message);
      countChecking(accepted.length);
      checked.current = checked.current.then(() => addChecked(accepted));
    },
    remove: (id: string) => {
      stopAsking(id);
      photos.current.filter((photo) => photo.id === id).forEach(releasePhoto);
      setPhotos(photos.current.filter((photo) => photo.id !== id));
    },
    /** Puts these photos, which were checked before, in the place of the form's; the product name stays as it is. */
    replace: (next: readonly DraftPhoto[]) => {
      photos.current.forEach(releasePhoto);
      for (const { id } of photos.current) stopAsking(id);
      photos.current = next.map(({ id, file }) => createPhoto(file, id));
      form.setValue('photos', photos.current, {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      });
      for (const { id, file } of next) {
        // What cannot be opened now was accepted before: the server decides.
        importInspection()
          .then(({ inspectPhoto }) => inspectPhoto(file))
          .then(
            (inspected) => saveInspection(id, inspected),
            () => saveCutout(id, null),
          );
      }
    },
  };
}
