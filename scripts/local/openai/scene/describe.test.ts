/** What the words of a description come to mean. */
import { describe, expect, test } from 'vitest';
import { luminance } from './colour.ts';
import { describeScene } from './describe.ts';

describe('the four templates', () => {
  test.each([
    ['Product on Wooden Table: ', 'wood', 'wall'],
    ['Minimalist White Background: ', 'plain', 'sweep'],
    ['Outdoor Natural Lighting: ', 'slate', 'garden'],
    ['Studio Photography Setup: ', 'plain', 'studio'],
  ])('%s', (prompt, material, kind) => {
    const scene = describeScene(prompt);
    expect([scene.surface.material, scene.backdrop.kind]).toEqual([material, kind]);
  });

  test('the white background is white', () => {
    expect(luminance(describeScene('Minimalist White Background: my mug').surface.colour)).toBeGreaterThan(
      0.9,
    );
  });
});

test.each([
  ['on white marble', 'marble'],
  ['on a dark slate plate', 'slate'],
  ['on crumpled linen', 'linen'],
  ['on a walnut table', 'wood'],
  ['on a concrete table', 'concrete'],
  ['on red velvet', 'velvet'],
  ['at the beach', 'sand'],
  ['in fresh snow', 'snow'],
  ['floating on water', 'water'],
  ['reflected in a mirror', 'glass'],
])('%s is made of %s', (prompt, material) => {
  expect(describeScene(prompt).surface.material).toBe(material);
});

test.each([
  ['in a cosy café', 'cafe'],
  ['in the kitchen', 'kitchen'],
  ['in a forest', 'forest'],
  ['in the desert', 'desert'],
  ['in a bathroom', 'bathroom'],
  ['neon lights', 'neon'],
])('%s stands before %s', (prompt, kind) => {
  expect(describeScene(prompt).backdrop.kind).toBe(kind);
});

describe('colours', () => {
  const isMostly = (prompt: string, channel: number) => {
    const { colour } = describeScene(prompt).surface;
    return colour[channel]! === Math.max(...colour);
  };
  test('go to the surface', () => {
    expect(isMostly('red background', 0)).toBe(true);
    expect(isMostly('emerald velvet', 1)).toBe(true);
    expect(isMostly('on a navy blue surface', 2)).toBe(true);
  });
  test('go to the backdrop when it is named', () => {
    const { surface, backdrop } = describeScene('on oak before a blue wall');
    expect(surface.material).toBe('wood');
    expect(surface.colour[0]).toBeGreaterThan(surface.colour[2]);
    expect(backdrop.colour[2]).toBeGreaterThan(backdrop.colour[0]);
  });
  test('change with dark, light and pastel', () => {
    const brightness = (prompt: string) => luminance(describeScene(prompt).surface.colour);
    expect(brightness('dark green background')).toBeLessThan(brightness('green background'));
    expect(brightness('pastel green background')).toBeGreaterThan(brightness('green background'));
    expect(describeScene('dark green background').light.exposure).toBe(0);
  });
});

describe('moods', () => {
  test('sunset is warm and low, night dark with lights', () => {
    const sunset = describeScene('sunset at the beach').light;
    expect(sunset.warmth).toBeGreaterThan(0.5);
    expect(sunset.lowSun).toBeGreaterThan(0.7);
    const night = describeScene('at night');
    expect(night.light.exposure).toBeLessThan(0);
    expect(night.lights).toBeGreaterThan(0.5);
  });
});

test.each([
  '',
  'zxqv',
  '产品图片',
  '__proto__ constructor toString hasOwnProperty',
  '🎁',
  'a'.repeat(32_000),
])('words nobody knows give a bright neutral sweep (%#)', (prompt) => {
  const scene = describeScene(prompt);
  expect([scene.surface.material, scene.backdrop.kind]).toEqual(['plain', 'sweep']);
  expect(luminance(scene.surface.colour)).toBeGreaterThan(0.5);
});
