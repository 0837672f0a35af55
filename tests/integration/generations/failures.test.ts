/** One reply of the provider of each kind, and the limits of a call; `failures.full.test.ts` has all other replies. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { beforeAll, describe, expect } from 'vitest';
import type { Behaviour } from '#local/openai/control-client.ts';
import { readCup } from '#scripts/match-report/samples.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { limitMs } from '#tests/support/machine.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import {
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

describe('replies of the provider', () => {
  useWorker(test, { PROVIDER_STALL_MS: String(limitMs(700)) });

  test.for<ReplyCase>([
    [
      'more rate limits than the number of tries',
      [...Array<Behaviour>(4).fill(rateLimited), ok],
      { calls: 5 },
    ],
    ['a used-up quota that is raised later', [refused(429, null, 'insufficient_quota'), ok], { calls: 2 }],
    ['a wrong key, replaced later', [refused(401, 'invalid_api_key'), ok], { calls: 2 }],
    [
      'moderation',
      [refused(400, 'moderation_blocked', 'image_generation_user_error')],
      { calls: 1, failure: 'CONTENT_REFUSED', status: 400, code: 'moderation_blocked' },
    ],
    [
      'photos that it cannot use, as an error in the stream',
      [{ kind: 'stream-error', shape: 'nested', code: 'invalid_image_file' }],
      { calls: 1, failure: 'PHOTOS_UNREADABLE', code: 'invalid_image_file' },
    ],
    [
      'a request that it does not accept',
      [refused(400, 'invalid_value')],
      { calls: 1, failure: 'PROVIDER_ERROR', status: 400, code: 'invalid_value' },
    ],
    ['a server error once', [serverError, ok], { calls: 2 }],
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
    ['a cut stream once', [{ kind: 'cut' }, ok], { calls: 2 }],
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

  test('a second job of the same generation does not shorten the delay', async ({
    stack,
    seller,
    window,
  }) => {
    const delayMs = limitMs(1_500);
    const wait = refused(429, 'rate_limit_exceeded', 'requests', { 'retry-after-ms': String(delayMs) });
    await stack.images.set({ behaviours: [wait, ok] });
    const { id } = await seller.submit();
    await window.until(id, (view) => view.progress?.stage === 'waiting');
    // Like the reconciler's, when the queue seems to have lost the first job.
    const { queue } = stack.server.context;
    await queue.add('generate', { generationId: id }, { jobId: `generation-${id}-again` });
    expect((await window.untilEnded(id)).state).toBe('succeeded');
    const { calls } = await stack.images.state();
    expect(calls).toHaveLength(2);
    expect(Date.parse(calls[1]!.at) - Date.parse(calls[0]!.at)).toBeGreaterThanOrEqual(delayMs);
  });
});

describe('images that are of no use', () => {
  // The stand-in needs longer for a copy than the time limits of the other tests.
  useWorker(test);

  test('a blank image is replaced once', async ({ stack, seller, window }) => {
    const behaviours: Behaviour[] = [{ kind: 'blank' }, ok];
    const form = { photos: [readCup().png, await samplePhoto()] };
    await expectEnd(stack, seller, window, behaviours, { calls: 2 }, form);
  });

  test('an image that is a copy of a photo, twice', async ({ stack, seller, window }) => {
    const behaviours: Behaviour[] = [{ kind: 'copy' }, { kind: 'copy' }];
    const form = { photos: [readCup().png] };
    await expectEnd(stack, seller, window, behaviours, { calls: 2, failure: 'NO_IMAGE_DATA' }, form);
  });
});

describe('a call that exceeds the total time limit', () => {
  useWorker(test, { PROVIDER_TIMEOUT_MS: String(limitMs(600)) });
  test('is aborted and not repeated', async ({ stack, seller, window }) => {
    await expectEnd(stack, seller, window, [{ kind: 'hold' }], { calls: 1, failure: 'TIMED_OUT' });
    await stack.images.waitFor({ active: 0 });
  });
});

describe('a provider that is unreachable', () => {
  const busyWaitMs = limitMs(400);
  const settings: GivenSettings = { PROVIDER_BUSY_WAIT_MS: String(busyWaitMs) };
  beforeAll(async () => {
    const port = createServer().listen(0, '127.0.0.1');
    await once(port, 'listening');
    settings.OPENAI_BASE_URL = `http://127.0.0.1:${(port.address() as { port: number }).port}/v1`;
    port.close();
    await once(port, 'close');
  });
  useWorker(test, settings);
  test('is retried for as long as PROVIDER_BUSY_WAIT_MS says', async ({ stack, seller, window }) => {
    await expectEnd(stack, seller, window, [], { calls: 0, failure: 'PROVIDER_BUSY' });
    const row = await stack.models.generations.findOne({ profile: seller.id }).lean();
    expect(row!.calls).toMatchObject({ started: 1, server_errors: 0, lost: 0 });
    expect(row!.calls.refused).toBeGreaterThan(1);
    expect(row!.ended_at!.getTime() - row!.queued_at!.getTime()).toBeGreaterThanOrEqual(busyWaitMs);
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
