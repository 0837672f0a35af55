import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  exportZipName,
  type FilePreset,
  type GenerationView,
  limits,
  type NamedExport,
  nameExports,
  type PresetId,
  type WantedExport,
} from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { exportFileQuery, exportFilesKey, type MadeFile } from './api.ts';
import { packFiles } from './pack-files.ts';

/** So few files are made before they are looked at, one after the other, so that all rules are seen. */
const madeAheadMost = 6;

/** Megapixels of a file that has the size of its image, as most have. */
const usualMegapixels = 4;

/** Whether a server puts files into a ZIP: there are more of them, or of their pixels, than a page should hold. */
export function isLargeExport(files: readonly Pick<NamedExport<unknown>, 'preset'>[]): boolean {
  const megapixels = files.reduce((sum, { preset: { rules } }) => {
    const size = rules.find((rule) => rule.kind === 'size');
    return sum + (size ? (size.width * size.height) / 1_000_000 : usualMegapixels);
  }, 0);
  return files.length > limits.exportFilesOfPage || megapixels > usualMegapixels * limits.exportFilesOfPage;
}

/** A file of the export, and what is known of it. */
export interface ExportFile extends NamedExport<GenerationView> {
  /** Undefined until it is made. */
  made: MadeFile | undefined;
  error: Error | null;
  tryAgain: () => void;
}

interface FileKey {
  image: Pick<GenerationView, 'id'>;
  preset: { id: PresetId };
}
const keyOf = ({ image, preset }: FileKey) => `${image.id} ${preset.id}`;

/**
 * The files of an export. Each is made once, when it is looked at or saved: the bytes that are shown are those that are
 * saved. They are let go with the component.
 */
export function useExportFiles(images: readonly GenerationView[], wanted: WantedExport) {
  const queries = useQueryClient();
  const named = nameExports(images, wanted);
  const [shownKey, setShownKey] = useState('');
  const at = Math.max(
    0,
    named.findIndex((file) => keyOf(file) === shownKey),
  );
  const results = useQueries({
    queries: named.map((file, index) => ({ ...exportFileQuery(file), enabled: index === at })),
  });
  useEffect(() => {
    if (named.length > madeAheadMost || results.some(({ isFetching }) => isFetching)) return;
    const next = named[results.findIndex(({ isPending }) => isPending)];
    if (next) void queries.prefetchQuery(exportFileQuery(next));
  });
  const closed = useRef(new AbortController());
  useEffect(() => {
    closed.current = new AbortController();
    return () => {
      closed.current.abort();
      queries.removeQueries({ queryKey: exportFilesKey });
    };
  }, [queries]);
  const files: ExportFile[] = named.map((file, index) => ({
    ...file,
    made: results[index]!.data,
    error: results[index]!.error,
    tryAgain: () => void results[index]!.refetch(),
  }));

  /** How many of the files that are being saved are made; null while none is being saved. */
  const [saved, setSaved] = useState<number | null>(null);
  const [saveError, setSaveError] = useState<string | null>(null);
  /** @param presetsNow the presets as they are now; null if one is gone: then nothing is saved, and it shows where presets are chosen */
  const save = async (presetsNow: () => Promise<readonly FilePreset[] | null>) => {
    const { signal } = closed.current;
    setSaveError(null);
    setSaved(0);
    try {
      const presets = await presetsNow();
      if (!presets || signal.aborted) return;
      const entries = [];
      for (const file of nameExports(images, { ...wanted, presets })) {
        const made = await queries.fetchQuery(exportFileQuery(file));
        if (signal.aborted) return;
        entries.push({ name: file.fileName, at: file.image.createdAt, file: made.file });
        setSaved(entries.length);
      }
      const [first] = entries;
      if (entries.length === 1) return saveFile(first!.file, first!.name);
      const zip = await packFiles(entries);
      if (!signal.aborted) saveFile(zip, exportZipName(new Date()));
    } catch (error) {
      if (!signal.aborted) setSaveError(messageOf(error));
    } finally {
      if (!signal.aborted) setSaved(null);
    }
  };
  return {
    files,
    /** Index of the file that is looked at. */
    at,
    show: (file: FileKey | undefined) => file && setShownKey(keyOf(file)),
    isLarge: isLargeExport(named),
    save,
    saved,
    saveError,
  };
}
