import { expect, test } from 'vitest';
import { namePhoto } from './photo-names.ts';

const damaged = 'One of the photos is damaged.';

test('a message names the photo', () => {
  expect(namePhoto(damaged, 'cup.jpg')).toBe('“cup.jpg” is damaged.');
  expect(namePhoto('One of the files is empty.', 'cup.jpg')).toBe('“cup.jpg” is empty.');
  expect(namePhoto('Please try again.', 'cup.jpg')).toBe('Please try again.');
});

test('a name from right to left leaves the direction of the message alone', () => {
  expect(namePhoto(damaged, 'צילום (1).jpg')).toBe('“\u2068צילום (1).jpg\u2069” is damaged.');
});

test('whatever the name is, the message is one line of bounded length', () => {
  expect(namePhoto(damaged, '../../etc/passwd')).toBe('“passwd” is damaged.');
  expect(namePhoto(damaged, 'C:\\photos\\cup.jpg')).toBe('“cup.jpg” is damaged.');
  expect(namePhoto(damaged, 'a\r\nb\u0000\u202ec.png')).toBe('“abc.png” is damaged.');
  expect(namePhoto(damaged, 'x'.repeat(10_000))).toBe(`“${'x'.repeat(59)}…” is damaged.`);
  expect(namePhoto(damaged, '$&.png')).toBe('“$&.png” is damaged.');
  expect(namePhoto(damaged, '')).toBe(damaged);
});
