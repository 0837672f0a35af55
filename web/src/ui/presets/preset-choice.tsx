import { useState } from 'react';
import {
  type ExportPresetGroup,
  type ExportPresetId,
  exportPreset,
  exportPresetGroups,
  exportPresetIds,
  isOwnPresetId,
  type PresetId,
} from '#contract';
import { findRecentPresets } from '#web/lib/export-choice.ts';
import { CheckGroup } from '../check-group.tsx';
import { Field } from '../field.tsx';
import { Name } from '../name.tsx';
import { OwnPresets } from './own-presets.tsx';
import type { ChosenPresets } from './use-chosen-presets.ts';

/** With more presets than this, they can be searched. */
const searchedFrom = 10;

const groupNames: Readonly<Record<ExportPresetGroup, string>> = {
  marketplaces: 'Marketplaces',
  social: 'Social media',
  shops: 'Shop systems',
  general: 'General',
};

interface PresetChoiceProps {
  legend: string;
  /** All presets of marketplaces unless given. */
  offered?: readonly ExportPresetId[];
  choice: ChosenPresets;
}

/**
 * Tick boxes of presets: the seller's own on top, which are made, changed and deleted here; those of marketplaces that were used
 * last; the others by kind, with a search.
 */
export function PresetChoice({ legend, offered = exportPresetIds, choice }: PresetChoiceProps) {
  const { own, presets } = choice;
  const [search, setSearch] = useState('');
  // As they were when it was opened: a row must not move when it is ticked.
  const [recent] = useState(findRecentPresets);
  const isFound = (name: string) => name.toLowerCase().includes(search.trim().toLowerCase());
  const groups = presetGroups(offered, recent, isFound);
  const shownOwn = own.filter(({ name }) => isFound(name));
  const ids = presets.map(({ id }) => id);
  const chosenOwn = ids.filter(isOwnPresetId);
  const chosen = ids.filter((id) => !isOwnPresetId(id));
  const choose = (inGroup: readonly ExportPresetId[], chosenInGroup: readonly ExportPresetId[]) => {
    const kept = chosen.filter((id) => !inGroup.includes(id));
    const next = exportPresetIds.filter((id) => kept.includes(id) || chosenInGroup.includes(id));
    choice.choose([...chosenOwn, ...next]);
  };
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">{legend}</legend>
      <p className="mt-1 text-sm wrap-anywhere text-ink-soft">
        {presets.length === 0 ? 'None chosen' : 'Chosen: '}
        {presets.map(({ id, name }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Name>{name}</Name>
          </span>
        ))}
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
        <OwnPresets
          choice={choice}
          shown={shownOwn}
          chosen={chosenOwn}
          onChange={(next) => choice.choose([...next, ...chosen])}
        />
        {groups.map(({ name, ids }) => (
          <CheckGroup
            key={name}
            legend={name}
            options={ids.map((value) => ({ value, label: nameOf(value) }))}
            chosen={chosen}
            onChange={(chosenInGroup) => choose(ids, chosenInGroup)}
          />
        ))}
        {groups.length === 0 && shownOwn.length === 0 && (
          <p className="text-ink-soft">No format has “{search.trim()}” in its name.</p>
        )}
      </div>
    </fieldset>
  );
}

const nameOf = (id: ExportPresetId) => exportPreset(id).name;

/** The groups that have something that was searched for. A preset that was used last is in no other group. */
function presetGroups(
  offered: readonly ExportPresetId[],
  recent: readonly PresetId[],
  isFound: (name: string) => boolean,
): { name: string; ids: ExportPresetId[] }[] {
  const isFoundId = (id: ExportPresetId) => isFound(nameOf(id));
  const used = recent.filter((id) => !isOwnPresetId(id)).filter((id) => offered.includes(id));
  const others = offered.filter((id) => !used.includes(id));
  return [
    { name: 'Used last', ids: used.filter(isFoundId) },
    ...exportPresetGroups.map((group) => ({
      name: groupNames[group],
      ids: others.filter((id) => exportPreset(id).group === group && isFoundId(id)),
    })),
  ].filter(({ ids }) => ids.length > 0);
}
