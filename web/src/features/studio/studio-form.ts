import { z } from 'zod';
import { type ErrorCode, errorDefinitions, generationRequestSchema } from '#contract';
import type { Photo } from './photos.ts';

/** The form: the contract's text fields, and the photos. */
export const studioSchema = generationRequestSchema.omit({ n: true }).extend({
  photos: z.array(z.custom<Photo>()).min(1, { error: 'IMAGE_REQUIRED' }),
});
export type StudioForm = z.input<typeof studioSchema>;

export const emptyForm: StudioForm = { photos: [], prompt: '', productName: '' };

/** The message of a field's error; the contract's schemas may give an error code instead of a message. */
export function fieldMessage(error: { message?: string } | undefined): string | undefined {
  if (error === undefined) return undefined;
  return errorDefinitions[error.message as ErrorCode]?.[1] ?? error.message;
}

/**
 * Equal for two submissions with the same content. A file that is added again, by the seller or from the draft, counts
 * as the same file.
 */
export function fingerprintOf({ photos, prompt, productName }: StudioForm): string {
  const files = photos.map(({ file: { name, type, size, lastModified } }) => [
    name,
    type,
    size,
    lastModified,
  ]);
  return JSON.stringify([files, prompt.trim(), productName?.trim() ?? '']);
}
