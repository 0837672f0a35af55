import type { PhotoSubject } from '#contract';

/**
 * The prompt for the provider: the seller's description, what the photos show, and what must stay as it is.
 * @param scene the seller's description
 */
export function providerPrompt(scene: string, photoCount: number, photosShow: PhotoSubject): string {
  const several = photoCount > 1 && photosShow === 'several-products';
  return `${scene}\n\n${several ? ofSeveralProducts(photoCount) : ofOneProduct(photoCount)}`;
}

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
