import { composePrompt } from '#contract';
import type { GenerationRow } from '#shared/data/generations/schema.ts';

/** What the provider is told for a generation. */
export function promptOf(
  row: Pick<GenerationRow, 'prompt' | 'photos' | 'photos_show' | 'options' | 'change'>,
): string {
  return composePrompt({
    scene: row.prompt,
    photoCount: row.photos.length,
    photosShow: row.photos_show,
    ...row.options,
    change: row.change?.instruction ?? null,
  });
}
