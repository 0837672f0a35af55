/** The number of finished images in words. */
export function imageCountText(images: number): string {
  if (images === 0) return 'No images';
  return images === 1 ? '1 image' : `${images.toLocaleString('en')} images`;
}
