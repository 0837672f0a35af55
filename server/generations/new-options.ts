import { randomInt } from 'node:crypto';
import { type GenerationRequest, limits } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import type { Config } from '#shared/platform/config.ts';

/** The options of a new generation. A seed is drawn unless the seller chose one, and only where the provider takes seeds. */
export function newOptions(
  request: GenerationRequest,
  { provider }: Config['image'],
): NonNullable<GenerationRow['options']> {
  const { negativePrompt, width, height, style, background, useSeed, seedValue } = request;
  const seed = useSeed && seedValue !== undefined ? seedValue : randomInt(limits.seed + 1);
  return {
    negative_prompt: negativePrompt,
    width,
    height,
    style,
    background,
    seed: provider === 'local' ? seed : null,
  };
}
