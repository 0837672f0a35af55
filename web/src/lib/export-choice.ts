import { z } from 'zod';
import { type PresetId, presetIdSchema } from '#contract';

const storageKey = 'packshot-export-presets';
const recentKey = 'packshot-recent-export-presets';
const presetsSchema = z.array(presetIdSchema).min(1);
/** So many presets count as used last. */
const recentMost = 6;

/** The presets that are chosen at first in an export: those of the look that was applied last, or of the last export. Own ones may be gone. */
export function findExportChoice(): PresetId[] {
  return readPresets(storageKey) ?? ['amazon-main'];
}

/** The presets that were used last in this browser, the latest first; none before the first export. */
export function findRecentPresets(): PresetId[] {
  return readPresets(recentKey) ?? [];
}

function readPresets(key: string): PresetId[] | null {
  try {
    const stored = presetsSchema.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null'));
    if (stored.success) return stored.data;
  } catch {
    // Storage is blocked, or somebody else wrote there.
  }
  return null;
}

/** Remembers the presets of an export, in this browser. */
export function rememberExportChoice(presets: readonly PresetId[]): void {
  if (presets.length === 0) return;
  const recent = [...new Set([...presets, ...findRecentPresets()])].slice(0, recentMost);
  try {
    localStorage.setItem(storageKey, JSON.stringify(presets));
    localStorage.setItem(recentKey, JSON.stringify(recent));
  } catch {
    // Storage is blocked: the next export begins as usual.
  }
}
