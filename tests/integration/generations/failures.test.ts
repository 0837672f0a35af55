/** One reply of the provider of each kind, and the limits of a call; `failures.full.test.ts` has all other replies. */
import { describe, expect } from 'vitest';
import type { Behaviour } from '#local/openai/control-client.ts';
import type { PhotoFault } from '#shared/cutout/photo-problem.ts';
import { limitMs } from '#tests/support/machine.ts';
import {
  type End,
  expectEnd,
  ok,
  type ReplyCase,
  rateLimited,
  refused,
  serverError,
  testFailures,
  useWorker,
} from './failure-steps.ts';

const test = testFailures();

/** The local service's refusal of a photo. */
const unusable = (photo: PhotoFault): Behaviour => ({
  kind: 'error',
  status: 400,
  code: 'invalid_image_file',
  type: 'image_generation_user_error',
  photo,
});
const photoRefused: End = {
  calls: 1,
  failure: 'PHOTOS_UNREADABLE',
  status: 400,
  code: 'invalid_image_file',
};

describe('replies of the provider', () => {
  useWorker(test, { PROVIDER_STALL_MS: String(limitMs(700)) });

  test.for<ReplyCase>([
    [
      'moderation',
      [refused(400, 'moderation_blocked', 'image_generation_user_error')],
      {
        calls: 1,
        failure: 'CONTENT_REFUSED',
        status: 400,
        code: 'moderation_blocked',
        moderation: { stage: null, categories: [] },
      },
    ],
    [
      'moderation of the finished image, in the stream',
      [
        {
          kind: 'stream-error',
          shape: 'nested',
          code: 'moderation_blocked',
          type: 'image_generation_user_error',
          moderation: { moderation_stage: 'output', categories: ['sexual'] },
        },
      ],
      {
        calls: 1,
        failure: 'CONTENT_REFUSED',
        code: 'moderation_blocked',
        moderation: { stage: 'output', categories: ['sexual'] },
      },
    ],
    ['a spending limit that is raised later', [refused(400, 'billing_hard_limit_reached'), ok], { calls: 2 }],
    [
      'a quota that is used up, told in the stream',
      [{ kind: 'stream-error', shape: 'line', code: 'insufficient_quota', type: 'insufficient_quota' }, ok],
      { calls: 2 },
    ],
    [
      'photos that it cannot use, as an error in the stream',
      [{ kind: 'stream-error', shape: 'nested', code: 'invalid_image_file' }],
      { calls: 1, failure: 'PHOTOS_UNREADABLE', code: 'invalid_image_file' },
    ],
    [
      'a product that a hand holds',
      [unusable({ problem: 'held', photo: null })],
      { ...photoRefused, help: 'A hand is holding the product. Try a photo without the hand.' },
    ],
    [
      'a second photo whose product touches the frame',
      [unusable({ problem: 'cropped', photo: 2 })],
      {
        ...photoRefused,
        help: 'Photo 2: The product touches the edge of the photo. Try one that shows all of it.',
      },
    ],
    [
      'a server error twice',
      [serverError, serverError],
      { calls: 2, failure: 'PROVIDER_ERROR', status: 500, code: 'server_error' },
    ],
    ['a rate limit after a server error', [serverError, rateLimited, ok], { calls: 3 }],
    [
      'a stream that stalls twice',
      [{ kind: 'stall' }, { kind: 'stall' }],
      { calls: 2, failure: 'TIMED_OUT' },
    ],
    [
      'an invalid response twice',
      [
        { kind: 'invalid-response', what: 'not-an-image' },
        { kind: 'invalid-response', what: 'not-an-image' },
      ],
      { calls: 2, failure: 'NO_IMAGE_DATA' },
    ],
  ])('%s', ([, behaviours, end], { stack, seller, window }) =>
    expectEnd(stack, seller, window, behaviours, end),
  );

  test('the delay in retry-after-ms is respected', async ({ stack, seller, window }) => {
    const wait = refused(429, 'rate_limit_exceeded', 'requests', { 'retry-after-ms': '400' });
    await expectEnd(stack, seller, window, [wait, ok], { calls: 2 });
    const [first, second] = (await stack.images.state()).calls;
    expect(Date.parse(second!.at) - Date.parse(first!.at)).toBeGreaterThanOrEqual(400);
  });
});

describe('a call that exceeds the total time limit', () => {
  useWorker(test, { PROVIDER_TIMEOUT_MS: String(limitMs(600)) });
  test('is aborted and not repeated', async ({ stack, seller, window }) => {
    await expectEnd(stack, seller, window, [{ kind: 'stall' }], { calls: 1, failure: 'TIMED_OUT' });
    await stack.images.waitFor({ active: 0 });
  });
});

describe('an account problem that is not solved', () => {
  useWorker(test, { PROVIDER_ACCOUNT_WAIT_MS: String(limitMs(400)) });
  test('fails waiting generations, which use no image', async ({ stack, seller, window }) => {
    await stack.images.set({ default: refused(401, 'invalid_api_key') });
    await expectEnd(stack, seller, window, [], {
      failure: 'GENERATION_FAILED',
      status: 401,
      code: 'invalid_api_key',
    });
  });
});
