import {
  type ExportCheck,
  type ExportFormat,
  type ExportPresetId,
  exportChecksSchema,
  paths,
} from '#contract';
import { callApi } from '#web/lib/api.ts';

/** What to check: one image in one preset. */
interface CheckedFile {
  image: string;
  preset: ExportPresetId;
  format: ExportFormat;
}

/** Checks one file. @throws ApiError */
export async function checkExport(file: CheckedFile, signal?: AbortSignal): Promise<ExportCheck | undefined> {
  const { image, preset, format } = file;
  const query = new URLSearchParams({ images: image, presets: preset, format });
  const { files } = await callApi('GET', `${paths.exportChecks}?${query}`, exportChecksSchema, { signal });
  return files[0];
}
