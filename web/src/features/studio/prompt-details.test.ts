import { expect, it } from 'vitest';
import { defaultOptions } from '#contract';
import { optionsText } from './prompt-details.tsx';

it('names size and style, and a transparent background and a seed if there are any', () => {
  expect(optionsText({ ...defaultOptions, seed: null })).toBe('1024 × 1024 px · Style: Product');
  expect(optionsText({ ...defaultOptions, style: 'vintage', background: 'transparent', seed: 0 })).toBe(
    '1024 × 1024 px · Style: Vintage · Transparent background · Seed: 0',
  );
});
