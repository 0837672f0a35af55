import { useEffect, useRef, useState } from 'react';
import type { PhotoWarning } from '#contract';
import { createPhotoChecks } from './photo-checks.ts';
import type { DroppedPhoto } from './photo-index.ts';

/** The warnings of files that were checked. */
export type FileWarnings = ReadonlyMap<File, readonly PhotoWarning[]>;

/** Loaded with the first photo of a row. */
const importInspection = () => import('#web/features/studio/inspect-photo.ts');

/** Checks the photos that rows have, as the studio checks those of its form. @param photos in any number, also repeatedly */
export function usePhotoChecks(photos: readonly DroppedPhoto[]): FileWarnings {
  const [warnings, setWarnings] = useState<FileWarnings>(new Map());
  const checks = useRef<ReturnType<typeof createPhotoChecks>>(null);
  useEffect(
    () => () => {
      checks.current?.close();
      checks.current = null;
    },
    [],
  );
  useEffect(() => {
    if (photos.length === 0) return;
    checks.current ??= createPhotoChecks(
      {
        inspect: async (file) => (await importInspection()).inspectPhoto(file),
        ask: async (copy, signal) => (await importInspection()).checkOnServer(copy, signal),
      },
      (file, found) => setWarnings((known) => new Map(known).set(file, found)),
    );
    checks.current.add(photos.map(({ file }) => file));
  }, [photos]);
  return warnings;
}
