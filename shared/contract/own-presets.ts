import { z } from 'zod';
import type { ExportFormat, ExportRule } from './export-presets.ts';
import { namePatternSchema } from './exports.ts';
import { limits } from './limits.ts';
import { ownPresetIdSchema } from './preset-ids.ts';

/*
 * A seller's own export presets (docs/decisions/0118-own-export-presets.md). Their paths are not part of `paths`, which every
 * page loads.
 */

export const ownPresetPaths = {
  /** GET: 200 `OwnPresetList`. POST: body `CreateOwnPreset`, 201 `OwnPreset`. */
  ownPresets: '/api/export-presets',
  /** PATCH: body `ChangeOwnPreset`, 200 `OwnPreset`. DELETE: 204. */
  ownPreset: (id: string) => `/api/export-presets/${id}`,
} as const;

/** What a file of an own preset can be. */
export const ownPresetFormats = ['jpeg', 'png', 'webp'] as const satisfies readonly ExportFormat[];

/** A background that is not a colour. A colour is `#` and six hexadecimal digits in lower case. */
const backgroundPattern = /^(?:white|transparent|keep|#[0-9a-f]{6})$/;

const whole = (least: number, most: number) => z.number().int().min(least).max(most);

/** Joiners are not to be seen either, but belong to letters and emoji. */
const [hidden, seen] = [/(?![\u200c\u200d])\p{C}/u, /[^\s\u200c\u200d]/];

const fields = {
  /** Unique among the seller's own, whatever its case. Without control characters and without what turns directions. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(limits.ownPresetNameCharacters)
    .refine((name) => !hidden.test(name) && seen.test(name)),
  /** Size of the file in pixels, exactly. */
  width: whole(1, limits.exportSideMost),
  height: whole(1, limits.exportSideMost),
  format: z.enum(ownPresetFormats),
  /** Of a JPEG or WebP; without meaning for a PNG. */
  quality: whole(limits.ownPresetQualityLeast, 100),
  /** `white`, `transparent`, a colour such as `#f5f5f5`, or `keep`. In front of a scene it stays as it is. */
  background: z.string().regex(backgroundPattern),
  /** How much of the frame's width or height the product takes, whichever it reaches first, in percent; null as it is. */
  productShare: whole(limits.ownPresetShareLeast, 100).nullable(),
  /** Pattern of the file names, without their ending; null for the one that is chosen for the export. */
  namePattern: namePatternSchema.nullable(),
};

/** What is stored of an own preset. */
export interface OwnPresetFields {
  name: string;
  width: number;
  height: number;
  format: (typeof ownPresetFormats)[number];
  quality: number;
  background: string;
  productShare: number | null;
  namePattern: string | null;
}

/** Quality of a JPEG or WebP unless the seller chooses another. */
export const usualQuality = 92;

/** What does not go together, about the field that is wrong; undefined if all does. */
export function ownPresetFault({
  width,
  height,
  format,
  background,
  productShare,
}: OwnPresetFields): { field: 'height' | 'background' | 'productShare'; message: string } | undefined {
  const { ownPresetRatioMost: most } = limits;
  if (Math.max(width, height) > most * Math.min(width, height))
    return { field: 'height', message: `One side can be at most ${most} times as long as the other.` };
  if (format === 'jpeg' && background === 'transparent')
    return { field: 'background', message: 'A JPEG cannot be transparent. Choose PNG or WebP.' };
  if (background === 'keep' && productShare !== null)
    return {
      field: 'productShare',
      message: 'The product can only be sized if the background is replaced.',
    };
  return undefined;
}

/** Body of `POST /api/export-presets`. */
export const createOwnPresetSchema = z
  .strictObject({
    ...fields,
    quality: fields.quality.default(usualQuality),
    background: fields.background.default('white'),
    productShare: fields.productShare.default(null),
    namePattern: fields.namePattern.default(null),
  })
  .superRefine((preset, context) => {
    const fault = ownPresetFault(preset);
    if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
  });
export type CreateOwnPreset = z.input<typeof createOwnPresetSchema>;

/** Body of `PATCH /api/export-presets/<id>`: what changes. The whole has to go together afterwards. */
export const changeOwnPresetSchema = z.strictObject(fields).partial();
export type ChangeOwnPreset = z.input<typeof changeOwnPresetSchema>;

export const ownPresetSchema = z.object({
  /** As requests for exports name it. */
  id: ownPresetIdSchema,
  name: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  format: z.enum(ownPresetFormats),
  quality: z.number().int(),
  background: z.string(),
  productShare: z.number().int().nullable(),
  namePattern: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type OwnPreset = z.infer<typeof ownPresetSchema>;

/** All own presets of a seller, by their names. */
export const ownPresetListSchema = z.object({ presets: z.array(ownPresetSchema) });
export type OwnPresetList = z.infer<typeof ownPresetListSchema>;

/** By what two names are the same: neither case nor width of letters, nor joiners between them, tell them apart. */
export function ownPresetNameKey(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\u200c\u200d]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The rules of an own preset, of the kind that those of marketplaces are. Whoever made it has confirmed them. */
export function ownPresetRules(preset: OwnPresetFields): readonly ExportRule[] {
  const { width, height, format, background, productShare } = preset;
  const confirmed = true;
  const rules: ExportRule[] = [{ kind: 'format', format, confirmed }];
  if (background === 'white' || background === '#ffffff') rules.push({ kind: 'white-background', confirmed });
  else if (background !== 'keep')
    rules.push({ kind: 'background', colour: background === 'transparent' ? null : background, confirmed });
  if (productShare !== null)
    rules.push({ kind: 'product-share', least: productShare / 100, isExact: true, confirmed });
  return [...rules, { kind: 'size', width, height, confirmed }];
}
