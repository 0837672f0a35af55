import { useState } from 'react';
import {
  type ExportPresetGroup,
  type ExportPresetId,
  exportPreset,
  exportPresetGroups,
  exportPresetIds,
} from '#contract';
import { findRecentPresets } from '#web/lib/export-choice.ts';
import { CheckGroup } from './check-group.tsx';
import { Field } from './field.tsx';

interface PresetChoiceProps {
  legend: string;
  /** All presets unless given. */
  offered?: readonly ExportPresetId[];
  chosen: readonly ExportPresetId[];
  /** Called with the chosen presets in the order of `exportPresetIds`. */
  onChange: (chosen: ExportPresetId[]) => void;
}

/** With more presets than this, they can be searched. */
const searchedFrom = 10;

const groupNames: Readonly<Record<ExportPresetGroup, string>> = {
  marketplaces: 'Marketplaces',
  social: 'Social media',
  shops: 'Shop systems',
  general: 'General',
};

/** Tick boxes of the export presets: the last used ones first, the others by kind, with a search. */
export function PresetChoice({ legend, offered = exportPresetIds, chosen, onChange }: PresetChoiceProps) {
  const [search, setSearch] = useState('');
  // As they were when it was opened: a row must not move when it is ticked.
  const [recent] = useState(findRecentPresets);
  const groups = presetGroups(offered, recent, search);
  const choose = (inGroup: readonly ExportPresetId[], chosenInGroup: readonly ExportPresetId[]) => {
    const kept = chosen.filter((id) => !inGroup.includes(id));
    onChange(exportPresetIds.filter((id) => kept.includes(id) || chosenInGroup.includes(id)));
  };
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">{legend}</legend>
      <p className="mt-1 text-sm text-ink-soft">
        {chosen.length === 0 ? 'None chosen' : `Chosen: ${chosen.map(nameOf).join(', ')}`}
      </p>
      {offered.length > searchedFrom && (
        <Field
          label="Find a format"
          type="search"
          autoComplete="off"
          className="mt-3"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          // It may be inside a form, which is not meant to be submitted.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div className="mt-3 grid max-h-80 gap-3 overflow-y-auto overscroll-contain rounded-field border border-line px-3 py-2.5 md:max-h-104">
        {groups.map(({ name, ids }) => (
          <CheckGroup
            key={name}
            legend={name}
            options={ids.map((value) => ({ value, label: nameOf(value) }))}
            chosen={chosen}
            onChange={(chosenInGroup) => choose(ids, chosenInGroup)}
          />
        ))}
        {groups.length === 0 && <p className="text-ink-soft">No format has “{search.trim()}” in its name.</p>}
      </div>
    </fieldset>
  );
}

const nameOf = (id: ExportPresetId) => exportPreset(id).name;

/** The groups that have something that was searched for. A preset that was used last is in no other group. */
function presetGroups(
  offered: readonly ExportPresetId[],
  recent: readonly ExportPresetId[],
  search: string,
): { name: string; ids: ExportPresetId[] }[] {
  const isFound = (id: ExportPresetId) => nameOf(id).toLowerCase().includes(search.trim().toLowerCase());
  const used = recent.filter((id) => offered.includes(id));
  const others = offered.filter((id) => !used.includes(id));
  return [
    { name: 'Used last', ids: used.filter(isFound) },
    ...exportPresetGroups.map((group) => ({
      name: groupNames[group],
      ids: others.filter((id) => exportPreset(id).group === group && isFound(id)),
    })),
  ].filter(({ ids }) => ids.length > 0);
}
