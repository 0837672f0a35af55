import { randomInt } from 'node:crypto';
import { type GenerationRequest, imageSizeOf, limits, mayUse } from '#contract';
import { mayGenerate } from '#shared/credits/holds.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { Config } from '#shared/platform/config.ts';
import { AppError } from '#shared/platform/errors.ts';
import { imageCapabilitiesOf } from '#shared/platform/image-models.ts';

type Model = Pick<Config['image'], 'provider' | 'model'>;

/**
 * Refuses options that the image model does not have, or the seller's plan does not include, before anything is held.
 * @throws AppError VALIDATION or UPGRADE_REQUIRED
 */
export function checkOptions(
  request: Pick<GenerationRequest, 'width' | 'height' | 'background' | 'useSeed'>,
  profile: ProfileRow,
  model: Model,
): void {
  const { sizes, transparentBackground, seed } = imageCapabilitiesOf(model);
  const size = imageSizeOf(request.width, request.height);
  if (!size || !sizes.includes(size)) {
    throw new AppError('VALIDATION', {
      message: `The image service does not make images of ${request.width} × ${request.height} pixels at the moment.`,
      field: 'width',
    });
  }
  if (request.background === 'transparent' && !transparentBackground) {
    throw new AppError('VALIDATION', {
      message: 'The image service does not make transparent backgrounds at the moment.',
      field: 'background',
    });
  }
  if (request.useSeed && !seed) {
    throw new AppError('VALIDATION', { message: 'The image service takes no seeds.', field: 'useSeed' });
  }
  const plan = { plan: profile.subscription_plan, canGenerate: mayGenerate(profile, new Date()) };
  if (size === 'square-2k' && !mayUse('resolution-2k', plan)) {
    throw new AppError('UPGRADE_REQUIRED', { field: 'width' });
  }
}

/**
 * The options of each take of a request, as its row keeps them. The seed is drawn unless the seller chose one; each take
 * has the next one. Null where the provider takes no seeds.
 */
export function optionsOfTakes(request: GenerationRequest, model: Model): GenerationRow['options'][] {
  const { negativePrompt, width, height, style, background, useSeed, seedValue } = request;
  const first = useSeed && seedValue !== undefined ? seedValue : randomInt(limits.seed + 1);
  const takesSeeds = imageCapabilitiesOf(model).seed;
  return Array.from({ length: request.numImages }, (_, index) => ({
    negativePrompt,
    width,
    height,
    style,
    background,
    seed: takesSeeds ? (first + index) % (limits.seed + 1) : null,
  }));
}
