/**
 * The name of a downloaded image, `<product name>-<date>.png`, safe in every file system.
 * @param productName as the seller wrote it; may be empty
 * @param askedAt when the image was requested, as an ISO date and time
 */
export function downloadName(productName: string, askedAt: string): string {
  const name = productName
    .replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  return `${name || 'product'}-${askedAt.slice(0, 10)}.png`;
}
