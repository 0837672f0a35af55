import { z } from 'zod';
import { type ExportPresetId, exportPresetIds } from '#contract';

const storageKey = 'packshot-export-presets';
const presetsSchema = z.array(z.enum(exportPresetIds)).min(1);

/** The presets that are chosen at first in an export: those of the look that was applied last, or of the last export. */
export function findExportChoice(): ExportPresetId[] {
  try {
    const stored = presetsSchema.safeParse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'));
    if (stored.success) return stored.data;
  } catch {
    // Storage is blocked, or somebody else wrote there.
  }
  return ['amazon-main'];
}

/** Remembers the presets of an export, in this browser. */
export function rememberExportChoice(presets: readonly ExportPresetId[]): void {
  if (presets.length === 0) return;
  try {
    localStorage.setItem(storageKey, JSON.stringify(presets));
  } catch {
    // Storage is blocked: the next export begins as usual.
  }
}
