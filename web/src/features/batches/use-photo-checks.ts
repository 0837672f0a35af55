import { useEffect, useRef, useState } from 'react';
import type { PhotoWarning } from '#contract';
import { createPhotoChecks } from './photo-checks.ts';
import type { DroppedPhoto } from './photo-index.ts';

/** The warnings of files that were checked. */
export type FileWarnings = ReadonlyMap<File, readonly PhotoWarning[]>;

/** Loaded with the first photo of a row. */
const importInspection = () => import('#web/lib/inspect-photo.ts');

/** Checks the photos of products, as the studio checks those of its form. */
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
    const files = photos.map(({ file }) => file);
    if (files.length === 0) return;
    checks.current ??= createPhotoChecks(
      {
        inspect: async (file) => (await importInspection()).inspectPhoto(file),
        ask: async (copy, signal) => (await importInspection()).checkOnServer(copy, signal),
      },
      (file, found) => setWarnings((known) => new Map(known).set(file, found)),
    );
    checks.current.add(files);
  }, [photos]);
  return warnings;
}
