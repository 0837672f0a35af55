import type { GenerationRequest, V1CreateForm } from '#contract';
import { AppError } from '#shared/platform/errors.ts';

/** The fields of a request for images without what only this API has. */
export function fieldsOf(asked: V1CreateForm & { photos?: unknown }): GenerationRequest {
  const { dryRun: _, maxImages: __, photos: ___, ...fields } = asked;
  return fields;
}

/**
 * Refuses more images than a person has agreed to.
 * @param images how many the request would use
 * @throws AppError MAX_IMAGES
 */
export function checkAgreed(images: number, maxImages: number | undefined): void {
  if (maxImages === undefined || images <= maxImages) return;
  const use = images === 1 ? '1 image' : `${images} images`;
  const agreed = maxImages === 1 ? '1 was' : `${maxImages} were`;
  throw new AppError('MAX_IMAGES', {
    message: `This would use ${use}, and ${agreed} agreed to. Nothing was made.`,
  });
}
