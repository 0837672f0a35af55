import { expect, test } from 'vitest';
import { imageCapabilitiesOf } from './image-providers.ts';

const three = ['square', 'portrait', 'landscape'];
const all = [...three, 'square-2k'];

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
