import { composePrompt, defaultOptions, type GenerationOptions } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';

/** How the image of a generation is made. Rows from before sellers could choose have the defaults. */
export function optionsOf({ options }: Pick<GenerationRow, 'options'>): GenerationOptions {
  if (!options) return { ...defaultOptions, negativePrompt: '', seed: null };
  const { negative_prompt: negativePrompt, width, height, style, background, seed } = options;
  return { negativePrompt, width, height, style, background, seed };
}

/** What the provider is told for a generation. */
export function promptOf(
  row: Pick<GenerationRow, 'prompt' | 'photos' | 'photos_show' | 'options' | 'change'>,
): string {
  const { style, negativePrompt } = optionsOf(row);
  return composePrompt({
    scene: row.prompt,
    style,
    photoCount: row.photos.length,
    photosShow: row.photos_show ?? 'one-product',
    negativePrompt,
    change: row.change?.instruction ?? null,
  });
}
