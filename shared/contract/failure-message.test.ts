import { expect, test } from 'vitest';
import { generationFailureCodes, generationFailures } from './errors.ts';
import { failureMessage, type Moderation } from './failure-message.ts';

const refused = (stage: Moderation['stage'], ...categories: string[]) =>
  failureMessage({ code: 'CONTENT_REFUSED', moderation: { stage, categories } });

test('says which side was declined and why, as far as it is told', () => {
  expect(refused('input', 'violence')).toBe(
    'OpenAI API error: the scene or a photo was declined by its content policy (violence). Please change it and try again.',
  );
  expect(refused('output', 'sexual', 'self-harm/intent')).toBe(
    'OpenAI API error: the finished image was declined by its content policy (sexual content, self-harm). Please change the scene or a photo and try again.',
  );
  expect(refused('output')).toBe(
    'OpenAI API error: the finished image was declined by its content policy. Please change the scene or a photo and try again.',
  );
  expect(refused(null, 'hate/threatening', 'hate')).toContain('(hate)');
});

test('a category that we have no word for is not shown', () => {
  expect(refused('input', 'x_new')).toBe(generationFailures.CONTENT_REFUSED);
});

test('every other failure has its text', () => {
  for (const code of generationFailureCodes) {
    expect(failureMessage({ code })).toBe(generationFailures[code]);
    const moderation: Moderation = { stage: 'output', categories: ['violence'] };
    if (code !== 'CONTENT_REFUSED')
      expect(failureMessage({ code, moderation })).toBe(generationFailures[code]);
  }
});
