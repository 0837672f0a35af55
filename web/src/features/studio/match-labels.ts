import type { GenerationView } from '#contract';

export type MatchLevel = NonNullable<GenerationView['match']>['level'];

/** How sure it is that an image shows its product, as it follows "Product match:". */
export const matchLabels: Readonly<Record<MatchLevel, string>> = {
  high: 'high',
  medium: 'medium',
  low: 'low. Please compare the label',
  unknown: "can't tell from this photo",
};
