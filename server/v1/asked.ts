import {
  type GenerationRequest,
  generationRequestSchema,
  imageOptionsOf,
  type LookView,
  type V1CreateForm,
  type V1Look,
  withTemplate,
} from '#contract';
import { parse } from '#server/http/validation.ts';
import { presentLook } from '#server/looks/look.ts';
import type { Db } from '#shared/data/db.ts';
import { findLook } from '#shared/data/looks.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The fields of a request for images, as they were sent. */
type SentFields = Omit<V1CreateForm, 'dryRun' | 'maxImages'>;

/**
 * The fields of a request for images without what says only how it is asked. Beside a look they are those that were sent;
 * without one each of them.
 * @param body as it was sent
 */
export function sentFields(asked: V1CreateForm & { photos?: unknown }, body: object): Partial<SentFields> {
  const { dryRun: _, maxImages: __, photos: ___, ...fields } = asked;
  if (fields.lookId === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(body, name)));
}

/**
 * A request for images with what its look says: what was sent beside the look wins.
 * @throws AppError VALIDATION, PROMPT_INVALID: also when the look does not exist any more
 */
export async function wholeRequest(
  db: Db,
  sellerId: string,
  { lookId, ...fields }: Partial<SentFields>,
): Promise<GenerationRequest> {
  const look = lookId === undefined ? null : await findLook(db, sellerId, lookId);
  if (lookId !== undefined && !look)
    throw new AppError('VALIDATION', { message: 'This look does not exist any more.', field: 'lookId' });
  return parse(generationRequestSchema, { ...(look && requestOfLook(presentLook(look))), ...fields });
}

/** The fields of a request for images that a look has. */
export function requestOfLook({ scene, template, numImages, ...look }: LookView): V1Look['request'] {
  const prompt = template === null ? scene : withTemplate(template, scene);
  return { prompt, ...imageOptionsOf(look), numImages };
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
