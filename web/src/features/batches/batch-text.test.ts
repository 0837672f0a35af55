import { expect, test } from 'vitest';
import { balanceText, countsText, dailyText, shortfallText } from './batch-text.ts';

test.each([
  [120, 340, 'Make 120 images: 120 of your 340 left', null],
  [1, 1, 'Make 1 image: 1 of your 1 left', null],
  [1_200, null, 'Make 1,200 images', null],
  [
    120,
    100,
    'Make 120 images: 120 of your 100 left',
    'This batch needs 120 images, and you have 100 left: 20 images too few. Remove rows or takes, or upgrade your plan.',
  ],
])('%i images with %j left', (images, left, text, shortfall) => {
  expect(balanceText(images, left)).toBe(text);
  expect(shortfallText(images, left)).toBe(shortfall);
});

test('the counts of a batch leave out what there is none of', () => {
  const none = { succeeded: 0, failed: 0, cancelled: 0, waiting: 0, underWay: 0 };
  expect(countsText({ ...none, images: 1, succeeded: 1 })).toBe('1 of 1 image done');
  expect(countsText({ images: 15, succeeded: 1, failed: 2, cancelled: 3, underWay: 4, waiting: 5 })).toBe(
    '1 of 15 images done · 2 failed · 3 cancelled · 4 in progress · 5 waiting',
  );
});

test.each([
  [5, null, null],
  [5, 5, null],
  [
    120,
    40,
    'Your daily limit allows 40 of these 120 images today. The other 80 begin by themselves on the following days, from 00:00 UTC.',
  ],
  [
    3,
    0,
    'Your daily limit is reached, so none of these images is made today. They begin by themselves on the following days, from 00:00 UTC.',
  ],
])('of %i images, %j fit today', (images, left, text) => {
  expect(dailyText(images, left)).toBe(text);
});
