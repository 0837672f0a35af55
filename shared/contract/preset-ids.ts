import { z } from 'zod';
import { exportPresetIds, type OwnPresetId } from './export-presets.ts';

/** The id of an own preset. Its type is written here: zod's own way to it is code that every page would load. */
export const ownPresetIdSchema = z.string().regex(/^own-[0-9a-f]{24}$/) as unknown as z.ZodType<
  OwnPresetId,
  OwnPresetId
>;

/** The id of a preset: of a marketplace, or the seller's own. */
export const presetIdSchema = z.union([z.enum(exportPresetIds), ownPresetIdSchema]);
