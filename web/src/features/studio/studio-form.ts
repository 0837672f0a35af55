import { z } from 'zod';
import { clientErrors, generationFieldsSchema } from '#contract';
import { defaultStudioOptions, type StudioOptions } from '#web/lib/studio-options.ts';
import type { Photo } from './photos.ts';

/** The form: the contract's text fields, the options, and the photos. */
export const studioSchema = generationFieldsSchema
  .pick({ prompt: true, productName: true, photosShow: true })
  .extend({
    /** Its controls allow only valid values. */
    options: z.custom<StudioOptions>(),
    photos: z.array(z.custom<Photo>()).min(1, { error: clientErrors.IMAGE_REQUIRED[1] }),
  });
export type StudioForm = z.input<typeof studioSchema>;

export const emptyForm: StudioForm = {
  photos: [],
  prompt: '',
  productName: '',
  photosShow: 'one-product',
  options: defaultStudioOptions,
};

/**
 * Equal for two submissions with the same content. A file that is added again, by the seller or from the draft, counts
 * as the same file.
 */
export function fingerprintOf({ photos, prompt, productName, photosShow, options }: StudioForm): string {
  const files = photos.map(({ file: { name, type, size, lastModified } }) => [
    name,
    type,
    size,
    lastModified,
  ]);
  const { seedValue, ...rest } = options;
  const seed = rest.useSeed ? seedValue : null;
  return JSON.stringify([files, prompt.trim(), productName?.trim() ?? '', photosShow, { ...rest, seed }]);
}
