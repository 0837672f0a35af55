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
};

it('keeps what is available', () => {
  expect(usableOptions(chosen, { capabilities: everything, mayUse2k: true, imagesLeft: null })).toEqual(
    chosen,
  );
});

it('gives the default size when the plan or the image service does not have the size', () => {
  const square = { ...chosen, ...imageSizes.square };
  expect(usableOptions(chosen, { capabilities: everything, mayUse2k: false, imagesLeft: null })).toEqual(
    square,
  );
  const { sizes, ...rest } = everything;
  const fewer = { ...rest, sizes: sizes.filter((size) => size !== 'square-2k') };
  expect(usableOptions(chosen, { capabilities: fewer, mayUse2k: true, imagesLeft: null })).toEqual(square);
});

it('turns off what the image service does not have', () => {
  const capabilities = { ...everything, transparentBackground: false, seed: false };
  expect(usableOptions(chosen, { capabilities, mayUse2k: true, imagesLeft: null })).toEqual({
    ...chosen,
    background: 'opaque',
    useSeed: false,
  });
});

it('asks for no more images than are left, and for one at least', () => {
  const numbers = [5, 2, 0].map(
    (imagesLeft) =>
      usableOptions({ ...chosen, numImages: 4 }, { capabilities: everything, mayUse2k: true, imagesLeft })
        .numImages,
  );
  expect(numbers).toEqual([4, 2, 1]);
});
