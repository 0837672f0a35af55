import { z } from 'zod';
import { exportFormats, exportPresetIds } from './export-presets.ts';
import { asinSchema } from './generations.ts';
import { limits } from './limits.ts';
import { presetIdSchema } from './preset-ids.ts';

/** The pattern of file names unless the seller chooses another. */
export const usualNamePattern = '{product}-{preset}-{date}';

/** What names of exported files may have in braces; any other brace is a mistake. */
export const exportPlaceholders = ['product', 'sku', 'asin', 'n', 'preset', 'amazon', 'date'] as const;
const namePattern = new RegExp(`^(?:[^{}]|\\{(?:${exportPlaceholders.join('|')})\\})+$`);

/** A pattern of file names, without their ending. */
export const namePatternSchema = z.string().trim().max(limits.exportNameCharacters).regex(namePattern);

/** A list in a query: `a,b`, each at most once. */
export const listOf = <Item extends z.ZodType<unknown, string>>(item: Item, most: number) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(item).max(most))
    .refine((items) => new Set(items).size === items.length)
    .meta({ description: `Separated by commas, at most ${most}, each once.`, minLength: 1 });

/** Ids of finished images, separated by commas. */
const imagesOf = (most: number) => listOf(z.string().min(1).max(100), most);

/** Ids of presets, separated by commas. */
export const presetListSchema = listOf(presetIdSchema, exportPresetIds.length + limits.ownPresets);

/** Query of `GET /api/exports`: each image in each preset is one file. */
export const exportQuerySchema = z.strictObject({
  images: imagesOf(limits.exportImages),
  presets: presetListSchema,
  /** Format of the preset `original`. */
  format: z.enum(exportFormats).default('png'),
  /** Pattern of the file names, except those of own presets that have one. */
  name: namePatternSchema.default(usualNamePattern),
  /** The ASIN of the images that have none of their own. */
  asin: asinSchema.optional(),
});
export type ExportQuery = z.infer<typeof exportQuerySchema>;

/** Query of `GET /api/exports/check`: the same of fewer images, in presets of marketplaces. */
export const exportCheckQuerySchema = exportQuerySchema.extend({
  images: imagesOf(limits.exportImagesChecked),
  presets: listOf(z.enum(exportPresetIds), exportPresetIds.length),
});

/** Query of `GET /api/exports/file`: the same of one image in one preset. */
export const exportFileQuerySchema = exportQuerySchema.extend({
  images: imagesOf(1),
  presets: listOf(presetIdSchema, 1),
});

/** `fixed`: the image did not obey the rule, the exported file does. */
export const exportOutcomes = ['pass', 'fixed', 'fails'] as const;

/** `wanted`: what a rule asks for. `measured`: what the file has. `failing`: what is wrong. */
export const ruleMarkKinds = ['wanted', 'measured', 'failing'] as const;

/** A place in an exported file that a rule is about, in pixels of the file. */
export const ruleMarkSchema = z.object({
  kind: z.enum(ruleMarkKinds),
  /** What is there, in a few words. */
  label: z.string(),
  left: z.number().int(),
  top: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
});
export type RuleMark = z.infer<typeof ruleMarkSchema>;

/** How an exported file obeys the rules of its preset. */
export const exportCheckSchema = z.object({
  /** Id of the generation. */
  image: z.string(),
  preset: presetIdSchema,
  fileName: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  bytes: z.number().int(),
  /** How many times its sides are enlarged; 1 if they are not. */
  enlarged: z.number(),
  rules: z.array(
    z.object({
      /** What it is about, for example `Background`. */
      name: z.string(),
      outcome: z.enum(exportOutcomes),
      /** What was measured, and what was done about it. */
      measured: z.string(),
      needed: z.string(),
      /** Whether the marketplace's own documentation says so, or the seller's own preset; otherwise it is commonly recommended. */
      confirmed: z.boolean(),
      /** True of what the marketplace's own documentation recommends, and does not demand. */
      advised: z.boolean(),
      /** What the seller can do about a rule that fails; null of others, and if there is nothing. */
      advice: z.string().nullable(),
      marks: z.array(ruleMarkSchema),
    }),
  ),
});
export type ExportCheck = z.infer<typeof exportCheckSchema>;

/** Parts of the reply of `GET /api/exports/file`: the check is JSON. */
export const exportParts = { check: 'check', file: 'file' } as const;

export const exportChecksSchema = z.object({ files: z.array(exportCheckSchema) });
