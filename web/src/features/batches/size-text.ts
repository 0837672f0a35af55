import { type ImageSize, imageSizeNames, imageSizes, latinDigits } from '#contract';

/** How the sizes are called. */
const sizeNames: Readonly<Record<ImageSize, string>> = {
  square: 'Square',
  portrait: 'Portrait',
  landscape: 'Landscape',
  'square-2k': 'Large square',
};

/** A size in pixels, `1024 × 1536`. */
export function pixelsOf(size: ImageSize): string {
  return `${imageSizes[size].width} × ${imageSizes[size].height}`;
}

/** The size that a cell names: `portrait`, `Large square`, or in pixels as `1024x1536`; undefined if there is none. */
export function readSize(cell: string): ImageSize | undefined {
  const wanted = latinDigits(cell).trim().toLowerCase();
  const pixels = /^(\d+)\s*[x×*]\s*(\d+)( ?px)?$/.exec(wanted);
  return imageSizeNames.find((name) => {
    if (name === wanted || sizeNames[name].toLowerCase() === wanted) return true;
    return imageSizes[name].width === Number(pixels?.[1]) && imageSizes[name].height === Number(pixels?.[2]);
  });
}
