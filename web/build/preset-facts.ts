import { type ExportPresetGroup, exportPreset, exportPresetIds } from '#contract';

const namesOf = (group: ExportPresetGroup) =>
  exportPresetIds
    .map(exportPreset)
    .filter((preset) => preset.group === group)
    .map(({ name }) => name)
    .join(', ');

/**
 * Facts about the export presets. They are not with the others, because pages that name a fact would load the table of the
 * presets with them.
 */
export const presetFacts = {
  marketplacePresets: namesOf('marketplaces'),
  socialPresets: namesOf('social'),
  shopPresets: namesOf('shops'),
  exportPresetIds: exportPresetIds.join(', '),
} as const;
