import { describe, expect, test } from 'vitest';
import { whitenBackground } from './edit-background.ts';
import { type EditPixels, editGeometry } from './edit-geometry.ts';
import { applyRecipe } from './edit-pixels.ts';
import {
  type EditRecipe,
  editRecipeSchema,
  identityRecipe,
  isIdentity,
  recipeViewSchema,
} from './edit-recipe.ts';

const recipe = (details: Partial<EditRecipe>): EditRecipe => ({ ...identityRecipe, ...details });

/** An image whose pixels are grey: the values, row by row. */
function grey(width: number, values: readonly number[]): EditPixels {
  const data = new Uint8ClampedArray(values.flatMap((value) => [value, value, value, 255]));
  return { data, width, height: values.length / width };
}

/** The red channel of an image. */
const reds = ({ data }: EditPixels) => [...data].filter((_, index) => index % 4 === 0);

describe('the recipe', () => {
  test('of an empty object changes nothing', () => {
    expect(editRecipeSchema.parse({})).toEqual(identityRecipe);
    expect(isIdentity(identityRecipe)).toBe(true);
    expect(isIdentity(recipe({ crop: { left: 0, top: 0, width: 1, height: 1 } }))).toBe(true);
    expect(isIdentity(recipe({ warmth: 1 }))).toBe(false);
  });

  test.each<[string, object]>([
    ['rotate', { rotate: 45 }],
    ['straighten', { straighten: 15.1 }],
    ['straighten', { straighten: Number.NaN }],
    ['straighten', { straighten: null }],
    ['brightness', { brightness: 101 }],
    ['contrast', { contrast: 0.5 }],
    ['crop', { crop: { left: 0.6, top: 0, width: 0.5, height: 1 } }],
    ['crop', { crop: { left: 0, top: 0.6, width: 1, height: 0.5 } }],
    ['crop', { crop: { left: -0.1, top: 0, width: 1, height: 1 } }],
    ['crop', { crop: { left: 0, top: 0, width: 0.01, height: 1 } }],
  ])('with a %s out of bounds is refused: %j', (field, value) => {
    expect(editRecipeSchema.safeParse(value).error?.issues[0]?.path[0]).toBe(field);
  });
});

describe('applyRecipe', () => {
  test('turns clockwise', () => {
    const image = grey(2, [1, 2, 3, 4, 5, 6]);
    expect(applyRecipe(image, recipe({ rotate: 90 }))).toMatchObject({ width: 3, height: 2 });
    expect(reds(applyRecipe(image, recipe({ rotate: 90 })))).toEqual([5, 3, 1, 6, 4, 2]);
    expect(reds(applyRecipe(image, recipe({ rotate: 180 })))).toEqual([6, 5, 4, 3, 2, 1]);
    expect(reds(applyRecipe(image, recipe({ rotate: 270 })))).toEqual([2, 4, 6, 1, 3, 5]);
  });

  test('crops after the turn, to whole pixels', () => {
    const image = grey(2, [1, 2, 3, 4, 5, 6]);
    const crop = { left: 1 / 3, top: 0, width: 2 / 3, height: 0.5 };
    expect(reds(applyRecipe(image, recipe({ rotate: 90, crop })))).toEqual([3, 1]);
  });

  test('straightens clockwise, without empty corners', () => {
    const side = 200;
    const values = Array.from({ length: side * side }, (_, index) => (index % side < side / 2 ? 40 : 200));
    const { width, height, data } = applyRecipe(grey(side, values), recipe({ straighten: 10 }));
    // A square that is turned by 10° holds a square with this side.
    const held = Math.floor(side / (Math.cos(Math.PI / 18) + Math.sin(Math.PI / 18)));
    expect([width, height]).toEqual([held, held]);
    expect(data.every((value, index) => index % 4 < 3 || value === 255)).toBe(true);
    const edgeOfRow = (row: number) =>
      reds({ data, width, height })
        .slice(row * width, (row + 1) * width)
        .findIndex((value) => value > 120);
    // Clockwise: the upper end of the upright edge moves to the right.
    expect(edgeOfRow(0)).toBeGreaterThan(edgeOfRow(height - 1) + 20);
  });

  test('computes the colours as described', () => {
    const image: EditPixels = { data: new Uint8ClampedArray([100, 150, 200, 255]), width: 1, height: 1 };
    const first = (details: Partial<EditRecipe>) => [...applyRecipe(image, recipe(details)).data];
    expect(first({ brightness: 20 })).toEqual([110, 165, 220, 255]);
    expect(first({ contrast: -100 })).toEqual([114, 139, 164, 255]);
    expect(first({ saturation: -100 })).toEqual([143, 143, 143, 255]);
    expect(first({ warmth: 50 })).toEqual([110, 150, 180, 255]);
    expect([...image.data]).toEqual([100, 150, 200, 255]);
  });

  test('the size is known without the pixels', () => {
    const details = recipe({
      rotate: 90,
      straighten: -7.5,
      crop: { left: 0.1, top: 0.2, width: 0.6, height: 0.7 },
    });
    const { width, height } = applyRecipe(grey(60, new Array(60 * 40).fill(9)), details);
    expect(editGeometry({ width: 60, height: 40 }, details)).toMatchObject({ width, height });
  });
});

test('the background becomes white up to the product, which stays as it is', () => {
  const values = [
    240, 238, 240, 241, 240, 240, 90, 60, 90, 240, 240, 60, 235, 60, 190, 240, 90, 60, 90, 240, 240, 240, 240,
    240, 240,
  ];
  const image = grey(5, values);
  const isProduct = values.map((value, place) => (value < 100 || place === 12 ? 255 : 0));
  whitenBackground(image, grey(5, isProduct));
  expect(reds(image)).toEqual([
    255, 255, 255, 255, 255, 255, 90, 60, 90, 255,
    // A shadow becomes lighter.
    255, 60, 235, 60, 202, 255, 90, 60, 90, 255, 255, 255, 255, 255, 255,
  ]);
});

test('on pure white, white parts of a product stay even if nobody knows where it is', () => {
  const values = [255, 255, 255, 255, 253, 255, 255, 242, 255, 255, 230, 255, 255, 255, 255];
  const image = grey(3, values);
  whitenBackground(image);
  expect(reds(image)).toEqual(values);
});

test('a view of a recipe with a field of a later release can be read', () => {
  const recipe = { ...identityRecipe, crop: { left: 0, top: 0, width: 1, height: 1, later: 1 }, later: true };
  expect(recipeViewSchema.parse(recipe)).toEqual({
    ...identityRecipe,
    crop: { left: 0, top: 0, width: 1, height: 1 },
  });
  expect(editRecipeSchema.safeParse(recipe).success).toBe(false);
});
