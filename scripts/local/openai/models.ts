/**
 * The image models that the edits endpoint knows, in one place: what is accepted in `model`, and which
 * qualities each takes. The retired ones (gpt-image-1, dall-e-2, dall-e-3) are unknown on purpose, so that a
 * configuration naming them fails here as it fails at OpenAI.
 */

const basicQualities = ['low', 'medium', 'high', 'auto'] as const;
const extendedQualities = [...basicQualities, 'xhigh', 'max'] as const;

/** A quality a caller may ask for; `auto` is answered as `medium`. */
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

/** The qualities a model takes, or undefined when there is no such model. */
export function qualitiesOf(model: string): readonly Quality[] | undefined {
  return qualitiesByModel.get(model);
}

/** Output tokens of one 1024 × 1024 image by quality; larger sizes are billed by their area. */
export const outputTokensByQuality: Readonly<Record<Quality, number>> = {
  low: 196,
  medium: 439,
  auto: 439,
  high: 1756,
  xhigh: 3122,
  max: 7024,
};
