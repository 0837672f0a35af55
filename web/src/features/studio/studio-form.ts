import { z } from 'zod';
import { type ErrorCode, errorDefinitions, generationRequestSchema } from '#contract';
import type { Photo } from './photos.ts';

/** What the form holds: the contract's text fields and the photos that go with them. */
export const studioSchema = generationRequestSchema.omit({ n: true }).extend({
  photos: z.array(z.custom<Photo>()).min(1, { error: 'IMAGE_REQUIRED' }),
});
export type StudioForm = z.input<typeof studioSchema>;

export const emptyForm: StudioForm = { photos: [], prompt: '', productName: '' };

/** The sentence for a field's error: the contract's schemas give error codes. */
export function fieldMessage(error: { message?: string } | undefined): string | undefined {
  if (error === undefined) return undefined;
  const refusal = errorDefinitions[error.message as ErrorCode];
  return refusal?.[1] ?? error.message;
}

/**
 * Tells two submissions apart by what they send. A file that was put into a slot again, by the seller or from the draft,
 * is the same one.
 */
export function contentOf({ photos, prompt, productName }: StudioForm): string {
  const files = photos.map(({ file: { name, type, size, lastModified } }) => [
    name,
    type,
    size,
    lastModified,
  ]);
  return JSON.stringify([files, prompt.trim(), productName?.trim() ?? '']);
}
