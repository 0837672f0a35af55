/**
 * The sizes of images that sellers can choose, in pixels. A model has three of them or all (image-providers.ts): sides are
 * multiples of 16.
 */
export const imageSizes = {
  square: { width: 1_024, height: 1_024 },
  'portrait-4-5': { width: 1_024, height: 1_280 },
  portrait: { width: 1_024, height: 1_536 },
  'portrait-9-16': { width: 864, height: 1_536 },
  landscape: { width: 1_536, height: 1_024 },
  'landscape-16-9': { width: 1_536, height: 864 },
  'square-2k': { width: 2_048, height: 2_048 },
} as const;
export type ImageSize = keyof typeof imageSizes;
export const imageSizeNames = Object.keys(imageSizes) as [ImageSize, ...ImageSize[]];

/** Width to height of each size. */
export const imageRatios: Readonly<Record<ImageSize, string>> = {
  square: '1:1',
  'portrait-4-5': '4:5',
  portrait: '2:3',
  'portrait-9-16': '9:16',
  landscape: '3:2',
  'landscape-16-9': '16:9',
  'square-2k': '1:1',
};

/** The name of a size in pixels; undefined if sellers cannot choose it. */
export function imageSizeOf(width: number, height: number): ImageSize | undefined {
  return imageSizeNames.find(
    (name) => imageSizes[name].width === width && imageSizes[name].height === height,
  );
}
