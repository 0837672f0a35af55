import type { GenerationRequest, V1CreateForm } from '#contract';
import { AppError } from '#shared/platform/errors.ts';

/** The fields of a request for images without what only this API has. */
export function fieldsOf(asked: V1CreateForm & { photos?: unknown }): GenerationRequest {
  const { dryRun: _, maxImages: __, photos: ___, ...fields } = asked;
  return fields;
}

/** Refuses more images than a person has agreed to. @throws AppError MAX_IMAGES */
export function checkAgreed({ numImages, maxImages }: V1CreateForm): void {
  if (maxImages === undefined || numImages <= maxImages) return;
  throw new AppError('MAX_IMAGES', {
    message: `This would use ${numImages} images, and ${maxImages} were agreed to. Nothing was made.`,
  });
}
