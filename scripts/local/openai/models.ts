/**
 * The image models that the edits endpoint accepts, with their qualities. Retired models (gpt-image-1, dall-e-2,
 * dall-e-3) are unknown on purpose, so that a configuration that names them fails as it does at OpenAI.
 */

const basicQualities = ['low', 'medium', 'high', 'auto'] as const;
const extendedQualities = [...basicQualities, 'xhigh', 'max'] as const;

/** A requested quality; `auto` becomes `medium`. */
export type Quality = (typeof extendedQualities)[number];

const qualitiesByModel: ReadonlyMap<string, readonly Quality[]> = new Map<string, readonly Quality[]>([
  ['gpt-image-2.6-flare', extendedQualities],
  ['gpt-image-2.6-sunburst', extendedQualities],
  ['gpt-image-2.5-flare', extendedQualities],
  ['gpt-image-2.5-flare-2026-09-08', extendedQualities],
  ['gpt-image-2.5-sunburst', extendedQualities],
  ['gpt-image-2.5-sunburst-2026-09-08', extendedQualities],
  ['gpt-image-2', basicQualities],
  ['gpt-image-1.5', basicQualities],
  ['gpt-image-1-mini', basicQualities],
  ['chatgpt-image-latest', basicQualities],
]);

/** The qualities of a model, or undefined for an unknown model. */
export function qualitiesOf(model: string): readonly Quality[] | undefined {
  return qualitiesByModel.get(model);
}

/** Whether a model makes every size within limits, and not only three. */
export function takesAnySize(model: string): boolean {
  return model.startsWith('gpt-image-2');
}

/** Output tokens of a 1024 × 1024 image by quality; larger sizes are billed by area. */
export const outputTokensByQuality: Readonly<Record<Quality, number>> = {
  low: 196,
  medium: 439,
  auto: 439,
  high: 1756,
  xhigh: 3122,
  max: 7024,
};
