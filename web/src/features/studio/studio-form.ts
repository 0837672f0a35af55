import { z } from 'zod';
import { errorDefinitions, generationFieldsSchema } from '#contract';
import type { Photo } from './photos.ts';

/** The form: the contract's text fields, and the photos. */
export const studioSchema = generationFieldsSchema
  .pick({ prompt: true, productName: true, photosShow: true })
  .extend({
    photos: z.array(z.custom<Photo>()).min(1, { error: errorDefinitions.IMAGE_REQUIRED[1] }),
  });
export type StudioForm = z.input<typeof studioSchema>;

export const emptyForm: StudioForm = { photos: [], prompt: '', productName: '', photosShow: 'one-product' };

/**
 * Equal for two submissions with the same content. A file that is added again, by the seller or from the draft, counts
 * as the same file.
 */
export function fingerprintOf({ photos, prompt, productName, photosShow }: StudioForm): string {
  const files = photos.map(({ file: { name, type, size, lastModified } }) => [
    name,
    type,
    size,
    lastModified,
  ]);
  return JSON.stringify([files, prompt.trim(), productName?.trim() ?? '', photosShow]);
}
