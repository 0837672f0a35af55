import { expect, it } from 'vitest';
import { imageSizeNames, imageSizes } from '#contract';
import { defaultStudioOptions, type StudioOptions } from '#web/lib/studio-options.ts';
import { usableOptions } from './usable-options.ts';

const everything = { sizes: [...imageSizeNames], transparentBackground: true, seed: true, mask: true };
const chosen: StudioOptions = {
  ...defaultStudioOptions,
  ...imageSizes['square-2k'],
  style: 'vintage',
  background: 'transparent',
  useSeed: true,
  seedValue: 7,
  numImages: 4,
};

const square = imageSizes.square;
const without2k = imageSizeNames.filter((size) => size !== 'square-2k');

it.each<[what: string, given: Partial<Parameters<typeof usableOptions>[1]>, changed: Partial<StudioOptions>]>(
  [
    ['keeps what is available', {}, {}],
    ['gives the default size when the plan does not have the size', { mayUse2k: false }, square],
    [
      'gives the default size when the image service does not have the size',
      { capabilities: { ...everything, sizes: without2k } },
      square,
    ],
    [
      'turns off what the image service does not have',
      { capabilities: { ...everything, transparentBackground: false, seed: false } },
      { background: 'opaque', useSeed: false },
    ],
    ['asks for all that was chosen when more are left', { imagesLeft: 5 }, {}],
    ['asks for no more images than are left', { imagesLeft: 2 }, { numImages: 2 }],
    ['asks for one at least', { imagesLeft: 0 }, { numImages: 1 }],
  ],
)('%s', (_what, given, changed) => {
  const all = { capabilities: everything, mayUse2k: true, imagesLeft: null };
  expect(usableOptions(chosen, { ...all, ...given })).toEqual({ ...chosen, ...changed });
});
