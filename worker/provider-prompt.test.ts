import { expect, test } from 'vitest';
import { sceneTemplates, withTemplate } from '#contract';
import { describeScene } from '#local/openai/scene/description/describe.ts';
import { providerPrompt } from './provider-prompt.ts';

const scene = 'On oak, morning light';
const kept = /shape, proportions, colours, label and text .*exactly as photographed/;

test('the prompt begins with the description, and keeps the product as it is', () => {
  for (const prompt of [
    providerPrompt(scene, 1, 'one-product'),
    providerPrompt(scene, 3, 'one-product'),
    providerPrompt(scene, 3, 'several-products'),
  ]) {
    expect(prompt.startsWith(`${scene}\n\n`)).toBe(true);
    expect(prompt).toMatch(kept);
  }
});

test('the prompt says whether several photos show one product or several', () => {
  expect(providerPrompt(scene, 3, 'one-product')).toContain(
    '3 photos show one product from different angles',
  );
  expect(providerPrompt(scene, 3, 'several-products')).toContain('3 photos show 3 different products');
  expect(providerPrompt(scene, 1, 'several-products')).toBe(providerPrompt(scene, 1, 'one-product'));
});

test('the local renderer draws the same scene with and without what follows the description', () => {
  for (const description of [scene, ...sceneTemplates.map((name) => withTemplate(name, 'soft light'))]) {
    const drawn = describeScene(description);
    expect(describeScene(providerPrompt(description, 1, 'one-product'))).toEqual(drawn);
    expect(describeScene(providerPrompt(description, 4, 'one-product'))).toEqual(drawn);
    expect(describeScene(providerPrompt(description, 4, 'several-products'))).toEqual({
      ...drawn,
      framing: { ...drawn.framing, severalProducts: true },
    });
  }
});
