import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeScene } from '#local/openai/scene/description/describe.ts';
import { composePrompt, type PromptParts } from './compose-prompt.ts';
import { defaultOptions } from './generation-options.ts';
import { photoSubjects } from './generations.ts';
import { imageStyleNames, imageStyles } from './image-styles.ts';
import { limits } from './limits.ts';
import { sceneTemplates, withTemplate } from './templates.ts';

const scene = 'On oak, morning light';
const kept = /shape, proportions, colours, label and text .*exactly as photographed/;
const promptWith = (parts: Partial<PromptParts>) =>
  composePrompt({ ...defaultOptions, scene, photoCount: 1, photosShow: 'one-product', ...parts });

test('the prompt begins with the description, and keeps the product as it is', () => {
  for (const prompt of [
    promptWith({}),
    promptWith({ photoCount: 3 }),
    promptWith({ photoCount: 3, photosShow: 'several-products' }),
  ]) {
    expect(prompt.startsWith(`${scene}\n\n`)).toBe(true);
    expect(prompt).toMatch(kept);
  }
});

test('the prompt says whether several photos show one product or several', () => {
  expect(promptWith({ photoCount: 3 })).toContain('3 photos show one product from different angles');
  const several = { photosShow: 'several-products' } as const;
  expect(promptWith({ photoCount: 3, ...several })).toContain('3 photos show 3 different products');
  expect(promptWith(several)).toBe(promptWith({}));
});

test('the prompt names the style, and what to avoid if there is anything', () => {
  expect(promptWith({ style: 'vintage' })).toContain(`\n\n${imageStyles.vintage.sentence}\n\n`);
  expect(promptWith({})).toMatch(/\n\nAvoid: blurry, bad quality, deformed, distorted\.$/);
  expect(promptWith({ negativePrompt: 'people. ' })).toMatch(/\n\nAvoid: people\.$/);
  expect(promptWith({ negativePrompt: '' })).not.toContain('Avoid');
});

test('every prompt has the description unchanged, within the provider’s 32,000 characters', () => {
  const parts = fc.record({
    scene: fc.string({ minLength: 1, maxLength: limits.promptCharacters, unit: 'binary', size: 'max' }),
    style: fc.constantFrom(...imageStyleNames),
    photoCount: fc.integer({ min: 1, max: limits.photos }),
    photosShow: fc.constantFrom(...photoSubjects),
    negativePrompt: fc.string({ maxLength: limits.negativePromptCharacters, unit: 'binary', size: 'max' }),
  });
  fc.assert(
    fc.property(parts, (given) => {
      const prompt = composePrompt({ ...defaultOptions, ...given });
      expect(prompt.includes(given.scene)).toBe(true);
      expect(prompt.length).toBeLessThanOrEqual(32_000);
      expect(composePrompt({ ...defaultOptions, ...given })).toBe(prompt);
    }),
    // The texts are as long as they may be.
    { numRuns: 25 },
  );
});

test('the local renderer draws the same scene whatever follows the description; a style changes only light, colours, size and film', () => {
  for (const description of [scene, ...sceneTemplates.map((name) => withTemplate(name, 'soft light'))]) {
    const drawn = describeScene(description);
    for (const style of imageStyleNames) {
      const { light, saturation, style: look } = drawn;
      const styled = describeScene(promptWith({ scene: description, style }));
      expect({ ...styled, light, saturation, style: look }).toEqual(drawn);
    }
    expect(describeScene(promptWith({ scene: description, photoCount: 4 }))).toEqual(drawn);
    const several = promptWith({ scene: description, photoCount: 4, photosShow: 'several-products' });
    expect(describeScene(several)).toEqual({
      ...drawn,
      framing: { ...drawn.framing, severalProducts: true },
    });
  }
});
