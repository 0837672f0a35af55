/**
 * The name of a downloaded image, `<product name>-<date>.png`, safe in every file system.
 * @param productName as the seller wrote it; may be empty
 * @param askedAt when the image was requested, as an ISO date and time
 */
export function downloadName(productName: string, askedAt: string): string {
  return `${safeFileName(productName)}-${askedAt.slice(0, 10)}.png`;
}

/** @returns a text as a file name without ending, safe in every file system; `product` if nothing of it is left */
function safeFileName(text: string): string {
  const name = text
    .replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  return name || 'product';
}

/**
 * The name of an exported file.
 * @param pattern with the placeholders `{product}`, `{preset}` and `{date}`
 * @param askedAt when the image was requested, as an ISO date and time
 * @param extension without dot
 */
export function exportName(
  pattern: string,
  { productName, preset, askedAt }: { productName: string; preset: string; askedAt: string },
  extension: string,
): string {
  const values: Record<string, string> = {
    '{product}': safeFileName(productName),
    '{preset}': preset,
    '{date}': askedAt.slice(0, 10),
  };
  const name = pattern.replace(/\{\w+\}/g, (placeholder) => values[placeholder] ?? '');
  return `${safeFileName(name)}.${extension}`;
}
