import { expect, test } from 'vitest';
import { replyError } from './classify.ts';

const details = { status: 400, requestId: 'call' };
const errorOf = (code: string, photo?: unknown) =>
  replyError({ code, ...(photo !== undefined && { photo_details: photo }) }, 'refused', details);

test('a photo that the local service cannot use is known by its problem and its number', () => {
  const known = (photo: unknown) => errorOf('invalid_image_file', photo).photo;
  expect(known({ problem: 'held', photo: 2 })).toEqual({ problem: 'held', photo: 2 });
  expect(known({ problem: 'inseparable', photo: null })).toEqual({ problem: 'inseparable', photo: null });
  // OpenAI sends none; and nothing else is believed.
  for (const odd of [undefined, null, 'held', [], { problem: 'ugly' }, { problem: 7 }])
    expect(known(odd)).toBeNull();
  for (const photo of [0, 1.5, -1, 1_000, '2'])
    expect(known({ problem: 'held', photo })).toEqual({ problem: 'held', photo: null });
  expect(errorOf('moderation_blocked', { problem: 'held' }).photo).toBeNull();
});
