import { expect, test } from 'vitest';
import { generationFailureCodes, generationFailures } from '#contract';
import { photoProblems } from '#shared/cutout/photo-problem.ts';
import { failureHelp, failureText } from './failure-help.ts';

test('only a photo that cannot be used needs more than the message', () => {
  const helped = generationFailureCodes.filter((code) => failureHelp({ code }) !== null);
  expect(helped).toEqual(['PHOTOS_UNREADABLE']);
  expect(failureText({ code: 'TIMED_OUT' })).toBe(generationFailures.TIMED_OUT);
});

test('each problem with a photo has its own way on, beside the message', () => {
  const code = 'PHOTOS_UNREADABLE';
  const helps = photoProblems.map((problem) => failureHelp({ code, photo: { problem, photo: null } }));
  expect(new Set([...helps, failureHelp({ code })]).size).toBe(photoProblems.length + 1);
  expect(failureText({ code, photo: { problem: 'inseparable', photo: 2 } })).toBe(
    "Failed to process image files. Photo 2: We can't separate the product from its background. Try a plain one.",
  );
});

test.each([
  ['held', 'A hand is holding the product. Try a photo without the hand.'],
  ['cropped', 'The product touches the edge of the photo. Try one that shows all of it.'],
] as const)('%s: the only photo has no number, one of several has', (problem, help) => {
  const code = 'PHOTOS_UNREADABLE';
  expect(failureHelp({ code, photo: { problem, photo: null } })).toBe(help);
  expect(failureHelp({ code, photo: { problem, photo: 3 } })).toBe(`Photo 3: ${help}`);
  // Only a failure by the photos is about a photo.
  expect(failureHelp({ code: 'CONTENT_REFUSED', photo: { problem, photo: 3 } })).toBeNull();
});
