/** How descriptions are interpreted. */
import { describe, expect, test } from 'vitest';
import { luminance, toHex } from '../colour.ts';
import { describeScene } from './describe.ts';
import { views } from './places.ts';

describe('the four templates', () => {
  test.each([
    ['Product on Wooden Table: ', 'wood', 'view'],
    ['Minimalist White Background: ', 'plain', 'seamless'],
    ['Outdoor Natural Lighting: ', 'slate', 'view'],
    ['Studio Photography Setup: ', 'plain', 'studio'],
  ])('%s', (prompt, material, kind) => {
    const scene = describeScene(prompt);
    expect([scene.surface.material, scene.backdrop.kind]).toEqual([material, kind]);
  });

  test.each([
    'Minimalist White Background: my mug',
    'on a white background',
    'plain white, soft shadow',
    'on #fff',
  ])('%s is exactly white', (prompt) => {
    expect(describeScene(prompt).pureWhite).toBe(true);
  });

  test.each([
    'on white marble',
    'a white wall behind an oak table',
    'white and blue background',
    'off white background',
    'in a white kitchen',
  ])('%s is not pure white', (prompt) => {
    expect(describeScene(prompt).pureWhite).toBe(false);
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
  ['in a cosy café', 'view', 'cafe'],
  ['in the kitchen', 'view', 'kitchen'],
  ['on a desk in an office', 'view', 'office'],
  ['on the street', 'view', 'street'],
  ['on a city street at night', 'view', 'nightStreet'],
  ['on an oak table by a window', 'view', 'window'],
  ['in a forest', 'view', 'forest'],
  ['in the garden', 'view', 'garden'],
  ['in the garden at golden hour', 'view', 'morningMeadow'],
  ['at the beach', 'sea', 'sea'],
  ['on a beach at sunset', 'sea', 'sunsetSea'],
  ['in the desert', 'dunes', 'sea'],
  ['in the snow', 'snowfield', 'lagoon'],
  ['in a bathroom', 'tiles', 'window'],
  ['on a shelf', 'wall', 'room'],
  ['neon lights', 'neon', 'nightStreet'],
  ['softbox lighting', 'studio', 'studio'],
] as const)('%s stands before %s, in the light of %s', (prompt, kind, view) => {
  const { backdrop } = describeScene(prompt);
  expect(backdrop.kind).toBe(kind);
  expect(backdrop.view).toBe(views[view]);
});

describe('colours', () => {
  const isMostly = (prompt: string, channel: number) => {
    const { colour } = describeScene(prompt).surface;
    return colour[channel]! === Math.max(...colour);
  };
  test('apply to the surface', () => {
    expect(isMostly('red background', 0)).toBe(true);
    expect(isMostly('emerald velvet', 1)).toBe(true);
    expect(isMostly('on a navy blue surface', 2)).toBe(true);
  });
  test('apply to the backdrop when it is named', () => {
    const { surface, backdrop } = describeScene('on oak before a blue wall');
    expect(surface.material).toBe('wood');
    expect(surface.colour[0]).toBeGreaterThan(surface.colour[2]);
    expect(backdrop.colour[2]).toBeGreaterThan(backdrop.colour[0]);
  });
  test('can be hex codes of three or six digits', () => {
    const colourOf = (prompt: string) => toHex(describeScene(prompt).surface.colour);
    expect(colourOf('on #ffd')).toBe('#ffffdd');
    expect(colourOf('a #22AA88 background')).toBe('#22aa88');
    expect(colourOf('#4')).toBe(colourOf(''));
  });
  test('paper continues behind the product in its colour', () => {
    const { surface, backdrop } = describeScene('on pink paper');
    expect([surface.material, backdrop.kind]).toEqual(['paper', 'seamless']);
    expect(backdrop.colour).toEqual(surface.colour);
  });
  test('are modified by dark, light and pastel', () => {
    const brightness = (prompt: string) => luminance(describeScene(prompt).surface.colour);
    expect(brightness('dark green background')).toBeLessThan(brightness('green background'));
    expect(brightness('pastel green background')).toBeGreaterThan(brightness('green background'));
    expect(describeScene('dark green background').light.exposure).toBe(0);
  });
});

describe('moods', () => {
  test('sunset is warm with a low sun, night is dark with lights', () => {
    const sunset = describeScene('sunset at the beach').light;
    expect(sunset.warmth).toBeGreaterThan(0.5);
    expect(sunset.lowSun).toBeGreaterThan(0.7);
    const night = describeScene('at night');
    expect(night.light.exposure).toBeLessThan(0);
    expect(night.lights).toBeGreaterThan(0.5);
  });
});

describe('framing', () => {
  const framing = (prompt: string) => describeScene(prompt).framing;
  test.each([
    ['floating above a pink background', 'floating'],
    ['levitating in a studio', 'floating'],
    ['flat lay on linen', 'topView'],
    ['Top view of the product', 'topView'],
    ['photographed from above', 'topView'],
    ['close-up on marble', 'closeUp'],
    ['on yellow, hard shadow', 'hardShadow'],
    ['strong shadows on paper', 'hardShadow'],
    ['white background, no shadow', 'shadowless'],
    ['several products on marble', 'severalProducts'],
    ['all of the products in one picture', 'severalProducts'],
    ['both items side by side', 'severalProducts'],
  ] as const)('%s: %s', (prompt, what) => {
    expect(framing(prompt)[what]).toBe(true);
  });

  test.each([
    ['floating on water', 'floating'],
    ['a soft shadow', 'hardShadow'],
    ['one product from several angles', 'severalProducts'],
    ['my product on a table', 'severalProducts'],
    ['above the clouds', 'topView'],
  ] as const)('%s: not %s', (prompt, what) => {
    expect(framing(prompt)[what]).toBe(false);
  });
});

describe('props are ignored', () => {
  test.each([
    ['on oak with a splash of water', 'on oak'],
    ['on a concrete floor, water splashing around', 'on a concrete floor'],
    ['on white marble with green leaves and a glass vase', 'on white marble and a'],
    ['on linen surrounded by coffee beans', 'on linen'],
    ['on slate without wood', 'on slate'],
    ['a white ceramic mug on an oak table', 'a mug on an oak table'],
    ['my brown leather handbag on white marble', 'my handbag on white marble'],
  ])('%s', (prompt, plain) => {
    const { surface, backdrop } = describeScene(prompt);
    const expected = describeScene(plain);
    expect(surface).toEqual(expected.surface);
    expect(backdrop).toEqual(expected.backdrop);
  });

  test('except a wall, a background or light after "with"', () => {
    expect(describeScene('on oak with a blue wall').backdrop.colour).toEqual(
      describeScene('on oak before a blue wall').backdrop.colour,
    );
    expect(describeScene('with a red background').surface.colour).toEqual(
      describeScene('red background').surface.colour,
    );
  });
});

test.each([
  '',
  'zxqv',
  '产品图片',
  '__proto__ constructor toString hasOwnProperty',
  '🎁',
  'a'.repeat(32_000),
])('unknown words give a bright neutral studio (%#)', (prompt) => {
  const scene = describeScene(prompt);
  expect([scene.surface.material, scene.backdrop.kind]).toEqual(['plain', 'seamless']);
  expect(luminance(scene.surface.colour)).toBeGreaterThan(0.5);
});

describe('a style', () => {
  const scene = 'on an oak table by a window';
  const rest = 'The photo shows the product. Keep its shape, proportions, colours, label and text exactly.';
  const styled = (style: string, words = scene) =>
    describeScene(
      `${words}\n\nStyle: ${style}\n\n${rest}\n\nAvoid: snow, a blue wall, marble, no shadow, several products.`,
    );

  test.each([
    'a clean, sharp product photograph with even light and true colours.',
    'a minimal photograph with few objects, plain surfaces and much empty space.',
    'an editorial photograph for a magazine, with strong composition and directed light.',
    'a natural lifestyle photograph that shows the product where people use it.',
    'a vintage film photograph with soft contrast, warm tones and fine grain.',
  ])('and what to avoid do not change the scene: %s', (style) => {
    const { surface, backdrop, framing, pureWhite } = styled(style);
    const plain = describeScene(scene);
    expect({ surface, backdrop, framing, pureWhite }).toEqual({
      surface: plain.surface,
      backdrop: plain.backdrop,
      framing: plain.framing,
      pureWhite: false,
    });
  });

  test('of a product photo is the usual one', () => {
    expect(styled('a clean, sharp product photograph.')).toEqual(describeScene(scene));
  });

  test('that is vintage is warm, pale and grainy', () => {
    const { light, saturation, style } = styled('a vintage film photograph.');
    expect(light.warmth).toBeGreaterThan(0.2);
    expect(saturation).toBeLessThan(0);
    expect(style.film.grain).toBeGreaterThan(4);
  });

  test('leaves white backgrounds white', () => {
    const { light, pureWhite } = styled('a vintage film photograph.', 'white background');
    expect([light.warmth, pureWhite]).toEqual([0, true]);
  });
});
