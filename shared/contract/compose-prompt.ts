import type { ImageOptions } from './generation-options.ts';
import { imageStyles } from './image-styles.ts';

/** What a prompt for the provider is made of. */
export interface PromptParts extends Pick<ImageOptions, 'style' | 'negativePrompt'> {
  /** The seller's description. */
  scene: string;
  photoCount: number;
  photosShow: 'one-product' | 'several-products';
  /** What is to be another way in the first picture; the photos follow it. Null for an image from photos alone. */
  change?: string | null;
}

/**
 * The prompt for the provider, one paragraph each: the seller's description unchanged, or the change that they want, the style, what the photos show and
 * what must stay as it is, and what to avoid. The same parts give the same prompt.
 */
export function composePrompt(parts: PromptParts): string {
  const { scene, style, photoCount, photosShow, negativePrompt, change = null } = parts;
  const several = photoCount > 1 && photosShow === 'several-products';
  return [
    ...(change === null
      ? [scene]
      : [`Change the first picture: ${change.replace(/\s*\n\s*/g, ' ')}`, keepRest]),
    imageStyles[style].sentence,
    several ? ofSeveralProducts(photoCount) : ofOneProduct(photoCount),
    ...(negativePrompt === '' ? [] : [`Avoid: ${negativePrompt.replace(/[.\s]+$/, '')}.`]),
  ].join('\n\n');
}

/** The local renderer takes what follows `Change the first picture:` as the instruction. */
const keepRest =
  'The first picture is the image to change. Keep everything in it that is not mentioned exactly as it is. The pictures ' +
  'after it are photos.';

function ofOneProduct(photoCount: number): string {
  const photos =
    photoCount === 1
      ? 'The photo shows the product.'
      : `The ${photoCount} photos show one product from different angles: it appears once in the image.`;
  return `${photos} Keep its shape, proportions, colours, label and text exactly as photographed.`;
}

function ofSeveralProducts(photoCount: number): string {
  return (
    `The ${photoCount} photos show ${photoCount} different products: all of the products appear together in the image, each ` +
    'once. Keep the shape, proportions, colours, label and text of each exactly as photographed.'
  );
}
