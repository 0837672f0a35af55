/** The sizes of images that sellers can choose, in pixels. */
export const imageSizes = {
  square: { width: 1_024, height: 1_024 },
  portrait: { width: 1_024, height: 1_536 },
  landscape: { width: 1_536, height: 1_024 },
  'square-2k': { width: 2_048, height: 2_048 },
} as const;
export type ImageSize = keyof typeof imageSizes;
export const imageSizeNames = Object.keys(imageSizes) as [ImageSize, ...ImageSize[]];

/** The name of a size in pixels; undefined if sellers cannot choose it. */
export function imageSizeOf(width: number, height: number): ImageSize | undefined {
  return imageSizeNames.find(
    (name) => imageSizes[name].width === width && imageSizes[name].height === height,
  );
}
