import { zodResolver } from '@hookform/resolvers/zod';
import type { Resolver } from 'react-hook-form';
import { z } from 'zod';
import {
  type ChangeOwnPreset,
  createOwnPresetSchema,
  limits,
  namePatternSchema,
  type OwnPreset,
  type OwnPresetFields,
  ownPresetFault,
  ownPresetFormats,
  usualQuality,
} from '#contract';
import { placeholderList } from './name-patterns.ts';

const backgrounds = ['white', 'colour', 'transparent', 'keep'] as const;

const number = (least: number, most: number) =>
  z.string().refine((text) => /^\s*\d{1,9}\s*$/.test(text) && Number(text) >= least && Number(text) <= most, {
    error: `Enter a whole number from ${least} to ${most.toLocaleString('en')}`,
    // Sides that are no numbers cannot be compared.
    abort: true,
  });

/** What is typed. */
const formSchema = z
  .object({
    name: z.string(),
    width: number(1, limits.exportSideMost),
    height: number(1, limits.exportSideMost),
    format: z.enum(ownPresetFormats),
    quality: number(limits.ownPresetQualityLeast, 100),
    background: z.enum(backgrounds),
    colour: z.string().regex(/^\s*#[0-9a-f]{6}\s*$/i, { error: 'Enter a colour such as #f5f5f5' }),
    productShare: z.union([z.string().regex(/^\s*$/), number(limits.ownPresetShareLeast, 100)], {
      error: `Enter a whole number from ${limits.ownPresetShareLeast} to 100, or nothing`,
    }),
    namePattern: z.string(),
  })
  .superRefine((values, context) => {
    const preset = presetOf(values);
    const report = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (preset.name === '') report('name', 'Please enter a name');
    else if (!createOwnPresetSchema.shape.name.safeParse(preset.name).success)
      report('name', 'Please use only characters that can be seen');
    if (preset.namePattern !== null && !namePatternSchema.safeParse(preset.namePattern).success)
      report('namePattern', `Use text and ${placeholderList}.`);
    const fault = ownPresetFault(preset);
    if (fault) report(fault.field, fault.message);
  });
export type FormValues = z.infer<typeof formSchema>;

/** What is typed, as a preset. */
export function presetOf(values: FormValues): OwnPresetFields {
  const { name, format, background, colour, productShare, namePattern } = values;
  return {
    name: name.trim(),
    width: Number(values.width),
    height: Number(values.height),
    format,
    quality: Number(values.quality),
    background: background === 'colour' ? colour.trim().toLowerCase() : background,
    productShare: background === 'keep' || productShare.trim() === '' ? null : Number(productShare),
    namePattern: namePattern.trim() || null,
  };
}

/** What the form begins with. @param preset null for a new one */
export function valuesOf(preset: OwnPreset | null): FormValues {
  const background = preset?.background ?? 'white';
  const isColour = background.startsWith('#');
  return {
    name: preset?.name ?? '',
    width: String(preset?.width ?? 2_000),
    height: String(preset?.height ?? 2_000),
    format: preset?.format ?? 'jpeg',
    quality: String(preset?.quality ?? usualQuality),
    background: isColour ? 'colour' : (background as (typeof backgrounds)[number]),
    colour: isColour ? background : '#f5f5f5',
    productShare: String(preset?.productShare ?? ''),
    namePattern: preset?.namePattern ?? '',
  };
}

/**
 * Checks what is typed, in the fields that are shown: nobody can mend the others, which stay as they were.
 * @param opened what the form began with
 */
export function formResolver(opened: FormValues): Resolver<FormValues> {
  const resolve: Resolver<FormValues> = zodResolver(formSchema);
  return (values, ...others) => {
    const { format, background } = values;
    const shown = {
      ...values,
      ...(format === 'png' && { quality: opened.quality }),
      ...(background !== 'colour' && { colour: opened.colour }),
      ...(background === 'keep' && { productShare: opened.productShare }),
    };
    return resolve(shown, ...others);
  };
}

/**
 * What was changed of a preset. The rest is not sent: another window may have changed it meanwhile.
 * @param opened the preset as it was when the form was opened
 */
export function changesOf(opened: OwnPreset, fields: OwnPresetFields): ChangeOwnPreset {
  const changes = Object.entries(fields).filter(
    ([field, value]) => value !== opened[field as keyof OwnPreset],
  );
  // With the background as it is, there is no share, whatever it has become.
  const isNowKept = fields.background === 'keep' && opened.background !== 'keep';
  return { ...Object.fromEntries(changes), ...(isNowKept && { productShare: null }) };
}
