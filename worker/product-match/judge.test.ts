import { expect, test } from 'vitest';
import { isFound, judge } from './judge.ts';
import type { Measurement } from './measure.ts';

type Found = NonNullable<Measurement['found']>;

const unchanged: Found = {
  distortion: { scale: 1, stretch: 0, depth: 0 },
  parts: { textured: 40, found: 40, agreeing: 40 },
  texture: { textured: 200, differing: 0, group: 0, where: null, displaced: 0, likeness: 1 },
  colour: {
    exposure: 0,
    warmth: 0,
    green: 0,
    cells: 400,
    chroma: 0,
    chromaMost: 0,
    recoloured: 0,
    lightness: 0,
    relighted: 0,
  },
  corners: [],
  part: { inProduct: { x: 0, y: 0, width: 1, height: 1 }, corners: [] },
};
const measured = (changes: Partial<Measurement>): Measurement => ({
  features: 900,
  inliers: 200,
  mirroredInliers: 0,
  outlines: null,
  palette: null,
  found: unchanged,
  ...changes,
});

test('a product that is placed by its texture alone is high, and has an area', () => {
  const byTexture = measured({ inliers: 0, outlines: { straight: 0.8, mirrored: 0.7 }, palette: 0.02 });
  expect(judge(byTexture)).toBe('high');
  expect(isFound(byTexture)).toBe(true);
  const elsewhere = { ...unchanged, parts: { textured: 40, found: 40, agreeing: 10 } };
  expect(isFound({ ...byTexture, found: elsewhere })).toBe(false);
});

test('what lies on a plain product is seen although the product has no texture that agrees', () => {
  const texture = { ...unchanged.texture, textured: 10, differing: 10, group: 8 };
  const parts = { textured: 0, found: 0, agreeing: 0 };
  expect(judge(measured({ inliers: 22, palette: 0.02, found: { ...unchanged, parts, texture } }))).toBe(
    'low',
  );
});

test('a product of which much has texture, and none agrees, may be another side of the same', () => {
  const texture = { ...unchanged.texture, textured: 200, differing: 150, group: 120, likeness: 0.8 };
  const parts = { textured: 40, found: 8, agreeing: 4 };
  expect(judge(measured({ inliers: 22, palette: 0.02, found: { ...unchanged, parts, texture } }))).toBe(
    'unknown',
  );
});

test('a look-alike of the same outline and colours, of which no texture agrees, is low', () => {
  const texture = { ...unchanged.texture, textured: 430, differing: 380, group: 360, likeness: 0.7 };
  const parts = { textured: 70, found: 4, agreeing: 0 };
  const lookAlike = measured({
    inliers: 0,
    outlines: { straight: 0.87, mirrored: 0.86 },
    palette: 0.02,
    found: { ...unchanged, parts, texture },
  });
  expect(judge(lookAlike)).toBe('low');
  // From another side the outline or the place of the colours is another one.
  expect(judge({ ...lookAlike, outlines: { straight: 0.7, mirrored: 0.7 } })).toBe('unknown');
  const colour = { ...unchanged.colour, chroma: 12, recoloured: 0.3 };
  expect(judge({ ...lookAlike, found: { ...lookAlike.found!, colour } })).toBe('unknown');
});

test('a view that has some features in common with the photo is not a bent product', () => {
  const texture = { ...unchanged.texture, textured: 440, differing: 200, group: 140, likeness: 0.97 };
  const parts = { textured: 87, found: 61, agreeing: 23 };
  const other = measured({ inliers: 38, palette: 0.08, found: { ...unchanged, parts, texture } });
  expect(judge(other)).toBe('unknown');
  expect(judge({ ...other, inliers: 130 })).toBe('low');
});
