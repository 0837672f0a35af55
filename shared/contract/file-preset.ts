import { fileNamePart } from './download-name.ts';
import { type ExportPreset, exportPreset } from './export-preset-table.ts';
import { isOwnPresetId, type PresetId } from './export-presets.ts';
import { type OwnPreset, ownPresetRules } from './own-presets.ts';

/** A preset of either kind, a marketplace's or the seller's own, as files are made by it. */
export interface FilePreset extends Omit<ExportPreset, 'group' | 'date'> {
  id: PresetId;
  /** How names of files and folders call it. */
  label: string;
  /** When the rules of a marketplace were looked up; null of an own one. */
  date: string | null;
  /** Of a JPEG or WebP; null for the usual one. */
  quality: number | null;
  /** Pattern of the names of its files; null for the one that is chosen for the export. */
  namePattern: string | null;
}

/** @param own the seller's own presets @returns undefined if an own preset is not among them */
export function filePreset(id: PresetId, own: readonly OwnPreset[]): FilePreset | undefined {
  if (!isOwnPresetId(id)) return { ...exportPreset(id), id, label: id, quality: null, namePattern: null };
  const preset = own.find((each) => each.id === id);
  if (!preset) return undefined;
  const { name, format, quality, namePattern } = preset;
  const unneeded = { toCheck: null, source: null, origin: null, date: null };
  const label = fileNamePart(name, 'preset');
  return { id, name, label, format, quality, namePattern, rules: ownPresetRules(preset), ...unneeded };
}

/** The presets with these ids, without own ones that are gone. */
export function filePresets(ids: readonly PresetId[], own: readonly OwnPreset[]): FilePreset[] {
  return ids.flatMap((id) => filePreset(id, own) ?? []);
}
