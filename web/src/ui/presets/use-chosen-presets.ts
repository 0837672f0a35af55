import { useEffect, useState } from 'react';
import { type FilePreset, filePresets, isOwnPresetId, type PresetId } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { useOwnPresets } from '#web/lib/own-presets.ts';

/**
 * The presets that are chosen for an export, of both kinds. One that is deleted or changed in another window is followed.
 * @param first the ids that are chosen at first; own ones may be gone
 */
export function useChosenPresets(first: () => PresetId[]) {
  const { data: own, error, refetch } = useOwnPresets();
  const [ids, setIds] = useState(first);
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (own) setKnown((before) => new Map([...before, ...own.map(({ id, name }) => [id, name] as const)]));
  }, [own]);
  const isGone = (id: PresetId) =>
    isOwnPresetId(id) && own !== undefined && !own.some((each) => each.id === id);
  return {
    own: own ?? [],
    /** Why the own presets could not be loaded; null if they are, or are being loaded. */
    error: error && !own ? messageOf(error) : null,
    /** Those that are chosen and there. */
    presets: filePresets(ids, own ?? []),
    /** Names of those that were chosen and are gone since. */
    gone: ids.filter(isGone).flatMap((id) => known.get(id) ?? []),
    choose: (chosen: PresetId[]) => setIds(chosen),
    /** Whether presets are all still there: what is asked for in a link must not fail. */
    areThere: async (presets: readonly FilePreset[]) => {
      if (!presets.some(({ id }) => isOwnPresetId(id))) return true;
      const { data } = await refetch();
      // If the server cannot be asked, the download says so.
      return (
        !data ||
        filePresets(
          presets.map(({ id }) => id),
          data,
        ).length === presets.length
      );
    },
  };
}
export type ChosenPresets = ReturnType<typeof useChosenPresets>;
