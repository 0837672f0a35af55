import { queryOptions } from '@tanstack/react-query';
import {
  type ExportCheck,
  type ExportFormat,
  exportCheckSchema,
  exportParts,
  type FilePreset,
  type GenerationView,
  paths,
} from '#contract';
import { getForm, unreadableError } from '#web/lib/api.ts';

/** What to make: one image in one preset. */
interface WantedFile {
  image: Pick<GenerationView, 'id' | 'edits'>;
  preset: FilePreset;
  format: ExportFormat;
}

/** A file as it was made, and how it obeys the rules. */
export interface MadeFile {
  file: Blob;
  check: ExportCheck;
}

/** Makes one file. @throws ApiError */
export async function makeExport(
  { image, preset, format }: WantedFile,
  signal: AbortSignal,
): Promise<MadeFile> {
  const query = new URLSearchParams({ images: image.id, presets: preset.id, format });
  const form = await getForm(`${paths.exportFile}?${query}`, signal);
  const [file, check] = [form.get(exportParts.file), form.get(exportParts.check)];
  if (!(file instanceof Blob) || !(check instanceof Blob)) throw unreadableError();
  const read = exportCheckSchema.safeParse(JSON.parse(await check.text()));
  if (!read.success) throw unreadableError();
  return { file, check: read.data };
}

/** The key of all files that a page holds. */
export const exportFilesKey = ['export-file'];

/** A file that is made once: what is shown of it is what is saved. Whoever opens an export removes its files in the end. */
export const exportFileQuery = ({ image, preset, format }: WantedFile) =>
  queryOptions({
    queryKey: [
      ...exportFilesKey,
      image.id,
      image.edits?.version ?? null,
      preset.id,
      // An own preset may be changed while its files are shown.
      preset.rules,
      preset.quality,
      format,
    ],
    queryFn: ({ signal }) => makeExport({ image, preset, format }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
