import { expect, test } from 'vitest';
import { generationRequestSchema } from '#contract';
import { optionsOfTakes } from './options.ts';

const local = { provider: 'local', model: 'any' } as const;
const request = generationRequestSchema.parse({ prompt: 'On oak' });

test('a chosen seed is the first take’s, the next take has the next one, and the last is followed by 0', () => {
  const chosen = { ...request, numImages: 3, useSeed: true, seedValue: 999_998 };
  expect(optionsOfTakes(chosen, local).map(({ seed }) => seed)).toEqual([999_998, 999_999, 0]);
});

test('otherwise a seed is drawn, also if one was sent that is not to be used', () => {
  const seeds = Array.from(
    { length: 50 },
    () => optionsOfTakes({ ...request, seedValue: 5 }, local)[0]!.seed!,
  );
  expect(new Set(seeds).size).toBeGreaterThan(40);
  for (const seed of seeds) {
    expect(seed).toBeGreaterThanOrEqual(0);
    expect(seed).toBeLessThanOrEqual(999_999);
  }
});

test('a provider that takes no seeds gets none', () => {
  const model = { provider: 'openai', model: 'gpt-image-2' } as const;
  expect(optionsOfTakes({ ...request, useSeed: false }, model)[0]!.seed).toBeNull();
});
