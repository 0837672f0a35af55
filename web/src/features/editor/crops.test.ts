import { expect, test } from 'vitest';
import { identityRecipe } from '#contract';
import { centredCrop, toCrop, toRectangle, turned, withField, withKey } from './crops.ts';

const size = { width: 300, height: 200 };

test('a crop of a ratio is the largest one in the middle', () => {
  expect(centredCrop(size, 3 / 2)).toBeNull();
  expect(toRectangle(centredCrop(size, 1), size)).toMatchObject({ left: 50, top: 0, height: 200 });
  expect(toRectangle(centredCrop(size, 1), size).width).toBeCloseTo(200);
});

test('a rectangle becomes a crop inside the image', () => {
  expect(toCrop({ left: 0, top: 0, width: 300, height: 200 }, size)).toBeNull();
  expect(toCrop({ left: -1, top: 101, width: 150, height: 100 }, size)).toEqual({
    left: 0,
    top: 0.5,
    width: 0.5,
    height: 0.5,
  });
});

test('a turn keeps the part of the image, and four turns change nothing', () => {
  // The upper left corner moves to the upper right one.
  const crop = { left: 0, top: 0, width: 0.5, height: 0.25 };
  const recipe = { ...identityRecipe, crop };
  expect(turned(recipe, true)).toMatchObject({
    rotate: 90,
    crop: { left: 0.75, top: 0, width: 0.25, height: 0.5 },
  });
  expect(turned({ ...recipe, ...turned(recipe, true) }, false)).toMatchObject({ rotate: 0, crop });
});

test('a number of the crop is changed as far as the image allows', () => {
  const crop = toCrop({ left: 100, top: 50, width: 100, height: 100 }, size);
  const changed = (field: 'left' | 'width' | 'height', value: number, ratio: number | null = null) => {
    const { left, top, width, height } = toRectangle(withField(crop, size, { field, value, ratio }), size);
    return [left, top, width, height].map(Math.round);
  };
  expect(changed('left', 150)).toEqual([150, 50, 100, 100]);
  expect(changed('left', 999)).toEqual([200, 50, 100, 100]);
  expect(changed('width', 999)).toEqual([100, 50, 200, 100]);
  expect(changed('width', 0)).toEqual([100, 50, 15, 100]);
  expect(changed('width', 999, 1)).toEqual([100, 50, 150, 150]);
  expect(changed('height', 50, 2)).toEqual([100, 50, 100, 50]);
  expect(changed('height', 0, 2)).toEqual([100, 50, 20, 10]);
});

test('an arrow key moves or resizes the crop by a fiftieth of the image, as far as the image allows', () => {
  const crop = toCrop({ left: 3, top: 50, width: 100, height: 100 }, size);
  const pressed = (shortcut: string, ratio: number | null = null) => {
    const changed = withKey(crop, size, { shortcut, ratio })!;
    const { left, top, width, height } = toRectangle(changed, size);
    return [left, top, width, height].map(Math.round);
  };
  expect(pressed('ArrowRight')).toEqual([9, 50, 100, 100]);
  expect(pressed('ArrowLeft')).toEqual([0, 50, 100, 100]);
  expect(pressed('ArrowUp')).toEqual([3, 46, 100, 100]);
  expect(pressed('Shift+ArrowDown')).toEqual([3, 50, 100, 104]);
  expect(pressed('Shift+ArrowLeft', 1)).toEqual([3, 50, 94, 94]);
  for (const shortcut of ['Enter', 'Alt+ArrowLeft', 'Mod+Shift+ArrowUp'])
    expect(withKey(crop, size, { shortcut, ratio: null })).toBeUndefined();
});
