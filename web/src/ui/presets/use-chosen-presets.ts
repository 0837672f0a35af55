import { useEffect, useState } from 'react';
import { type FilePreset, filePresets, isOwnPresetId, type PresetId } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useOwnPresets } from '#web/lib/own-presets.ts';

/**
 * The presets that are chosen for an export, of both kinds. One that is deleted or changed in another window is followed.
 * @param first the ids that are chosen at first; own ones may be gone
 */
export function useChosenPresets(first: () => PresetId[]) {
  const { data: own, error, isPending, refetch } = useOwnPresets();
  const [ids, setIds] = useState(first);
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (own) setKnown((before) => new Map([...before, ...own.map(({ id, name }) => [id, name] as const)]));
  }, [own]);
  const isGone = (id: PresetId) =>
    isOwnPresetId(id) && own !== undefined && !own.some((each) => each.id === id);
  /**
   * Presets as they are now; null if one of them is gone. If the server cannot be asked, as they were: what is then asked of it
   * says so.
   */
  const presetsNow = async (presets: readonly FilePreset[]): Promise<readonly FilePreset[] | null> => {
    if (!presets.some(({ id }) => isOwnPresetId(id))) return presets;
    const { data } = await refetch();
    if (!data) return presets;
    const now = filePresets(
      presets.map(({ id }) => id),
      data,
    );
    return now.length === presets.length ? now : null;
  };
  return {
    own: own ?? [],
    /** Whether own presets are chosen of which nothing is known yet. */
    isLoading: isPending && ids.some(isOwnPresetId),
    /** Why the own presets could not be loaded; null if they are, or are being loaded. */
    error: error && !own ? messageOf(error) : null,
    /** Ids of those that are chosen and not known to be gone. */
    ids: ids.filter((id) => !isGone(id)),
    /** Those that are chosen and there. */
    presets: filePresets(ids, own ?? []),
    /** Names of those that were chosen and are gone since. */
    gone: ids.filter(isGone).flatMap((id) => known.get(id) ?? []),
    // As long as own ones are not known, nobody sees them, and so nobody can leave them out.
    choose: (chosen: PresetId[]) => setIds(own ? chosen : [...ids.filter(isOwnPresetId), ...chosen]),
    presetsNow,
    /** Whether presets are all still there: what is asked for in a link must not fail. */
    areThere: async (presets: readonly FilePreset[]) => (await presetsNow(presets)) !== null,
  };
}
export type ChosenPresets = ReturnType<typeof useChosenPresets>;
