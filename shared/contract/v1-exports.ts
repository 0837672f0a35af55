import { z } from 'zod';
import { exportFormats, exportPresetIds } from './export-presets.ts';
import { exportOutcomes, exportQuerySchema, listOf } from './exports.ts';

/* Version 1 of the API for programs: images as marketplaces want them. As v1.ts says, it stays as it is. */

export const v1ExportPaths = {
  /** GET: 200 `V1ExportPresetList`. */
  presets: '/api/v1/export-presets',
  /** GET, query `V1ExportQuery`: the file. */
  file: (id: string, preset: string) => `/api/v1/generations/${id}/exports/${preset}`,
  /** GET, query `V1ExportQuery`: 200 `V1ExportCheck`. */
  check: (id: string, preset: string) => `/api/v1/generations/${id}/exports/${preset}/check`,
  /** GET, query `V1ZipQuery`: a ZIP. */
  zip: '/api/v1/exports',
} as const;

/** Names the rules that an exported file does not obey: strings with commas between them; absent if it obeys all. */
export const v1FailedRulesHeader = 'packshot-failed-rules';

const { images, presets: _, ...fileFields } = exportQuerySchema.shape;

/** How an exported file is made and called. */
export const v1ExportQuerySchema = z.strictObject(fileFields);

/** Each generation in each preset is a file of the ZIP. */
export const v1ZipQuerySchema = z.strictObject({
  generations: images,
  presets: listOf(z.enum(exportPresetIds), exportPresetIds.length),
  ...fileFields,
});

/** A rule in words, and how sure it is. */
const ruleFields = {
  /** What it is about, for example `Background`. */
  name: z.string(),
  needed: z.string(),
  /** Whether the marketplace's own documentation says so; otherwise it is commonly recommended. */
  confirmed: z.boolean(),
  /** True of what the marketplace's own documentation recommends, and does not demand. */
  advised: z.boolean(),
};

export const v1ExportPresetSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `marketplaces`, `social`, `shops` or `general`; others may be added. */
  group: z.string(),
  /** Null if `format` of the request chooses it. */
  format: z.enum(exportFormats).nullable(),
  rules: z.array(z.object(ruleFields)),
  /** What cannot be measured, so that a person has to look at it; null for nothing. */
  toCheck: z.string().nullable(),
  /** The marketplace's own page; null if none was found. */
  source: z.string().nullable(),
});
export type V1ExportPreset = z.infer<typeof v1ExportPresetSchema>;

export const v1ExportPresetListSchema = z.object({ presets: z.array(v1ExportPresetSchema) });
export type V1ExportPresetList = z.infer<typeof v1ExportPresetListSchema>;

/** An exported file, and how it obeys the rules of its preset. */
export const v1ExportCheckSchema = z.object({
  generationId: z.string(),
  preset: z.string(),
  fileName: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  bytes: z.number().int(),
  /** How many times its sides are enlarged; 1 if they are not. */
  enlarged: z.number(),
  /** Whether it obeys all rules. */
  passes: z.boolean(),
  rules: z.array(
    z.object({
      ...ruleFields,
      /** `fixed`: the image did not obey the rule, the file does. */
      outcome: z.enum(exportOutcomes),
      /** What was measured, and what was done about it. */
      measured: z.string(),
    }),
  ),
});
export type V1ExportCheck = z.infer<typeof v1ExportCheckSchema>;
