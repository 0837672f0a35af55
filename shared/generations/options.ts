import { randomInt } from 'node:crypto';
import {
  type GenerationRequest,
  imageCapabilitiesOf,
  imageOptionsOf,
  imageSizeOf,
  limits,
  mayUse,
} from '#contract';
import { mayGenerate } from '#shared/credits/holds.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { Config } from '#shared/platform/config.ts';
import { AppError } from '#shared/platform/errors.ts';

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

/** @throws AppError VALIDATION or UPGRADE_REQUIRED when the image model or the plan cannot change only a marked area */
export function checkBrush(profile: ProfileRow, model: Model, field: 'marks' | 'mask'): void {
  if (!imageCapabilitiesOf(model).mask) {
    throw new AppError('VALIDATION', {
      message: 'The image service cannot change only a marked area at the moment.',
      field,
    });
  }
  const plan = { plan: profile.subscription_plan, canGenerate: mayGenerate(profile, new Date()) };
  if (!mayUse('brush', plan)) throw new AppError('UPGRADE_REQUIRED', { field });
}

/** The same options with the seed after theirs: the same one would give the same image. */
export function nextSeed(options: GenerationRow['options']): GenerationRow['options'] {
  const { seed } = options;
  return { ...options, seed: seed === null ? null : (seed + 1) % (limits.seed + 1) };
}

/**
 * The options of each take of a request, as its row keeps them. The seed is drawn unless the seller chose one; each take
 * has the next one. Null where the provider takes no seeds.
 */
export function optionsOfTakes(request: GenerationRequest, model: Model): GenerationRow['options'][] {
  const { useSeed, seedValue } = request;
  const first = useSeed && seedValue !== undefined ? seedValue : randomInt(limits.seed + 1);
  const takesSeeds = imageCapabilitiesOf(model).seed;
  return Array.from({ length: request.numImages }, (_, index) => ({
    ...imageOptionsOf(request),
    seed: takesSeeds ? (first + index) % (limits.seed + 1) : null,
  }));
}
