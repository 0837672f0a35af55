import { type ReactNode, useState } from 'react';
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

interface MarketplaceChoiceProps {
  legend: string;
  /** All presets of marketplaces unless given. */
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

/** Tick boxes of the presets of marketplaces: the last used ones first, the others by kind, with a search. */
export function MarketplaceChoice({ chosen, onChange, ...props }: MarketplaceChoiceProps) {
  return <Choice {...props} chosen={chosen} names={chosen.map(nameOf)} onChange={onChange} />;
}

interface PresetChoiceProps {
  legend: string;
  /** All presets of marketplaces unless given. */
  offered?: readonly ExportPresetId[];
  choice: ChosenPresets;
}

/** The same with the seller's own presets on top, which are made, changed and deleted here. */
export function PresetChoice({ legend, offered, choice }: PresetChoiceProps) {
  const { own, presets, choose } = choice;
  const ids = presets.map(({ id }) => id);
  const chosenOwn = ids.filter(isOwnPresetId);
  const chosen = ids.filter((id) => !isOwnPresetId(id));
  return (
    <Choice
      legend={legend}
      {...(offered && { offered })}
      chosen={chosen}
      names={presets.map(({ name }) => name)}
      ownNames={own.map(({ name }) => name)}
      onChange={(next) => choose([...chosenOwn, ...next])}
      renderOwn={(isFound) => (
        <OwnPresets
          choice={choice}
          shown={own.filter(({ name }) => isFound(name))}
          chosen={chosenOwn}
          onChange={(next) => choose([...next, ...chosen])}
        />
      )}
    />
  );
}

interface ChoiceProps extends MarketplaceChoiceProps {
  /** Of all that is chosen. */
  names: readonly string[];
  /** Of all own presets. */
  ownNames?: readonly string[];
  /** @param isFound whether a name has what is searched for */
  renderOwn?: (isFound: (name: string) => boolean) => ReactNode;
}

function Choice({
  legend,
  offered = exportPresetIds,
  chosen,
  names,
  ownNames = [],
  onChange,
  renderOwn,
}: ChoiceProps) {
  const [search, setSearch] = useState('');
  // As they were when it was opened: a row must not move when it is ticked.
  const [recent] = useState(findRecentPresets);
  const isFound = (name: string) => name.toLowerCase().includes(search.trim().toLowerCase());
  const groups = presetGroups(offered, recent, isFound);
  const choose = (inGroup: readonly ExportPresetId[], chosenInGroup: readonly ExportPresetId[]) => {
    const kept = chosen.filter((id) => !inGroup.includes(id));
    onChange(exportPresetIds.filter((id) => kept.includes(id) || chosenInGroup.includes(id)));
  };
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">{legend}</legend>
      <p className="mt-1 text-sm wrap-anywhere text-ink-soft">
        {names.length === 0 ? 'None chosen' : 'Chosen: '}
        {names.map((name, index) => (
          <span key={name}>
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
        {renderOwn?.(isFound)}
        {groups.map(({ name, ids }) => (
          <CheckGroup
            key={name}
            legend={name}
            options={ids.map((value) => ({ value, label: nameOf(value) }))}
            chosen={chosen}
            onChange={(chosenInGroup) => choose(ids, chosenInGroup)}
          />
        ))}
        {groups.length === 0 && !ownNames.some(isFound) && (
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
