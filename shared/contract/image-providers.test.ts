import { expect, test } from 'vitest';
import { imageCapabilitiesOf } from './image-providers.ts';
import { imageRatios, imageSizeNames, imageSizes } from './image-sizes.ts';

const three = ['square', 'portrait', 'landscape'];
const all = imageSizeNames;

test.for([
  ['gpt-image-2.5-flare', all],
  ['gpt-image-2.5-sunburst-2026-09-08', all],
  ['gpt-image-2', all],
  ['gpt-image-1.5', three],
  ['gpt-image-1-mini', three],
  ['chatgpt-image-latest', three],
] as const)('%s', ([model, sizes]) => {
  expect(imageCapabilitiesOf({ provider: 'openai', model })).toEqual({
    sizes,
    transparentBackground: true,
    seed: false,
    mask: true,
  });
});

test('of an unknown model only what every model can do is expected', () => {
  expect(imageCapabilitiesOf({ provider: 'openai', model: 'another' })).toEqual({
    sizes: three,
    transparentBackground: false,
    seed: false,
    mask: false,
  });
});

test('the local renderer makes every size and takes seeds, whatever the model is called', () => {
  const capabilities = imageCapabilitiesOf({ provider: 'local', model: 'gpt-image-1.5' });
  expect(capabilities).toEqual({ sizes: all, transparentBackground: true, seed: true, mask: true });
});

test.for(imageSizeNames)(
  '%s has sides and pixels that models with any size take, and the ratio that it is called',
  (name) => {
    const { width, height } = imageSizes[name];
    const [across, down] = imageRatios[name].split(':').map(Number);
    expect([width % 16, height % 16]).toEqual([0, 0]);
    expect(width * down!).toBe(height * across!);
    expect(width * height).toBeGreaterThanOrEqual(655_360);
    expect(width * height).toBeLessThanOrEqual(8_294_400);
  },
);
