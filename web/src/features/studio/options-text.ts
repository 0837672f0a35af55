import { type GenerationOptions, imageStyles } from '#contract';

/** Size, style and, if there are any, transparent background and seed of an image, in one line. */
export function optionsText({ width, height, style, background, seed }: GenerationOptions): string {
  return [
    `${width} × ${height} px`,
    `Style: ${imageStyles[style].name}`,
    ...(background === 'transparent' ? ['Transparent background'] : []),
    ...(seed === null ? [] : [`Seed: ${seed}`]),
  ].join(' · ');
}
