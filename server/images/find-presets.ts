import { type FilePreset, filePreset, type PresetId } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { listOwnPresetsFor } from '#shared/data/own-presets.ts';
import { AppError } from '#shared/platform/errors.ts';
import { presentOwnPreset } from './present-own-preset.ts';

/**
 * The presets of a request as they are now: what it makes does not change with them any more.
 * @throws AppError PRESET_GONE if an own preset was deleted, or is another seller's
 */
export async function findPresets(
  { db }: Pick<ServerContext, 'db'>,
  sellerId: string,
  ids: readonly PresetId[],
): Promise<FilePreset[]> {
  const own = (await listOwnPresetsFor(db, sellerId, ids)).map(presentOwnPreset);
  return ids.map((id) => {
    const preset = filePreset(id, own);
    if (!preset) throw new AppError('PRESET_GONE');
    return preset;
  });
}
