/**
 * The name of a downloaded image, `<product name>-<date>.png` (seed §2).
 * @param productName as the seller wrote it; may be empty
 * @param madeAt when the image was made; the date is the seller's own
 */
export function downloadName(productName: string, madeAt: Date): string {
  const name = productName
    // Characters that a file system refuses.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${madeAt.getFullYear()}-${two(madeAt.getMonth() + 1)}-${two(madeAt.getDate())}`;
  return `${name || 'Product'}-${date}.png`;
}
