/** Each reply of the provider that `failures.test.ts` has no example of. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { beforeAll, describe, expect } from 'vitest';
import type { Behaviour } from '#local/openai/control-client.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { readCup } from '#tests/campaigns/match-report/samples.ts';
import { limitMs } from '#tests/support/machine.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import {
  expectEnd,
  ok,
  overloaded,
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
    ['a rate limit once', [rateLimited, ok], { calls: 2 }],
    [
      'more rate limits than the number of tries',
      [...Array<Behaviour>(4).fill(rateLimited), ok],
      { calls: 5 },
    ],
    ['a used-up quota that is raised later', [refused(429, null, 'insufficient_quota'), ok], { calls: 2 }],
    ['a wrong key, replaced later', [refused(401, 'invalid_api_key'), ok], { calls: 2 }],
    ['an account that is not active yet', [refused(400, 'billing_not_active'), ok], { calls: 2 }],
    ['a model that comes back', [refused(404, 'model_not_found'), ok], { calls: 2 }],
    [
      'a model that is not accepted yet',
      [
        { kind: 'error', status: 400, code: 'invalid_value', type: 'invalid_request_error', param: 'model' },
        ok,
      ],
      { calls: 2 },
    ],
    [
      'photos that are too large together',
      [refused(413, null)],
      { calls: 1, failure: 'PHOTOS_UNREADABLE', status: 413, code: 'invalid_request_error' },
    ],
    [
      'moderation of the scene',
      [
        {
          kind: 'error',
          status: 400,
          code: 'moderation_blocked',
          type: 'image_generation_user_error',
          moderation: { moderation_stage: 'input', categories: ['violence', 'self-harm/intent'] },
        },
      ],
      {
        calls: 1,
        failure: 'CONTENT_REFUSED',
        status: 400,
        code: 'moderation_blocked',
        moderation: { stage: 'input', categories: ['violence', 'self-harm/intent'] },
      },
    ],
    [
      'a request that it does not accept',
      [refused(400, 'invalid_value')],
      { calls: 1, failure: 'PROVIDER_ERROR', status: 400, code: 'invalid_value' },
    ],
    ['a server error once', [serverError, ok], { calls: 2 }],
    ['a cut stream once', [{ kind: 'cut' }, ok], { calls: 2 }],
    ['slow_down once', [refused(429, 'slow_down', 'requests'), ok], { calls: 2 }],
    ...[
      'credit_balance_exhausted',
      'organization_spend_limit_exceeded',
      'project_spend_limit_exceeded',
      'organization_usage_limit_exceeded',
    ].map(
      (code): ReplyCase => [
        `${code}, resolved later`,
        [refused(429, code, 'insufficient_quota'), ok],
        { calls: 2 },
      ],
    ),
    ...['invalid_image_file', 'unsupported_file_mimetype', 'image_parse_error'].map(
      (code): ReplyCase => [
        `photos that it cannot use (${code})`,
        [refused(400, code, 'image_generation_user_error')],
        { calls: 1, failure: 'PHOTOS_UNREADABLE', status: 400, code },
      ],
    ),
    [
      'photos that it cannot use, as a flat error in the stream',
      [{ kind: 'stream-error', shape: 'flat', code: 'invalid_image_file' }],
      { calls: 1, failure: 'PHOTOS_UNREADABLE', code: 'invalid_image_file' },
    ],
    ['an organisation that is not verified yet', [refused(403, null), ok], { calls: 2 }],
    ['overload twice', [overloaded, overloaded, ok], { calls: 3 }],
    ['a stream that stalls once', [{ kind: 'stall' }, ok], { calls: 2 }],
    ['a cut stream twice', [{ kind: 'cut' }, { kind: 'cut' }], { calls: 2, failure: 'PROVIDER_ERROR' }],
    [
      'a stream that ends early, twice',
      [{ kind: 'truncate' }, { kind: 'truncate' }],
      { calls: 2, failure: 'PROVIDER_ERROR' },
    ],
    ...(['nested', 'flat', 'line'] as const).map(
      (shape): ReplyCase => [
        `a ${shape} error in the stream, twice`,
        [
          { kind: 'stream-error', shape },
          { kind: 'stream-error', shape },
        ],
        { calls: 2, failure: 'PROVIDER_ERROR', code: 'server_error' },
      ],
    ),
    ['an invalid response once', [{ kind: 'invalid-response', what: 'not-an-image' }, ok], { calls: 2 }],
    ...(
      [
        ['empty-data', 'NO_IMAGE_DATA'],
        ['wrong-size', 'NO_IMAGE_DATA'],
        ['not-json', 'PROVIDER_ERROR'],
        ['html', 'PROVIDER_ERROR'],
      ] as const
    ).map(
      ([what, failure]): ReplyCase => [
        `${what} twice`,
        [
          { kind: 'invalid-response', what },
          { kind: 'invalid-response', what },
        ],
        { calls: 2, failure },
      ],
    ),
  ])('%s', ([, behaviours, end], { stack, seller, window }) =>
    expectEnd(stack, seller, window, behaviours, end),
  );

  test('the delay in retry-after is respected', async ({ stack, seller, window }) => {
    const wait = refused(429, 'rate_limit_exceeded', 'requests', { 'retry-after': '1' });
    await expectEnd(stack, seller, window, [wait, ok], { calls: 2 });
    const [first, second] = (await stack.images.state()).calls;
    expect(Date.parse(second!.at) - Date.parse(first!.at)).toBeGreaterThanOrEqual(1_000);
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
    // Like upkeep's, when the queue seems to have lost the first job.
    const { queue } = stack.server.context;
    await queue.add('generate', { generationId: id }, { jobId: `generation-${id}-again` });
    expect((await window.untilEnded(id)).state).toBe('succeeded');
    const { calls } = await stack.images.state();
    expect(calls).toHaveLength(2);
    expect(Date.parse(calls[1]!.at) - Date.parse(calls[0]!.at)).toBeGreaterThanOrEqual(delayMs);
  });
});

describe('calls without a first event', () => {
  useWorker(test, { PROVIDER_TIMEOUT_MS: String(limitMs(700)) });

  test('twice', ({ stack, seller, window }) => {
    const behaviours: Behaviour[] = [{ kind: 'stall-before' }, { kind: 'stall-before' }];
    return expectEnd(stack, seller, window, behaviours, { calls: 2, failure: 'TIMED_OUT' });
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

  test('a copy of a photo is replaced once', ({ stack, seller, window }) => {
    const behaviours: Behaviour[] = [{ kind: 'copy' }, ok];
    return expectEnd(stack, seller, window, behaviours, { calls: 2 }, { photos: [readCup().png] });
  });

  test('an image that is blank, twice', ({ stack, seller, window }) => {
    const behaviours: Behaviour[] = [{ kind: 'blank' }, { kind: 'blank' }];
    return expectEnd(stack, seller, window, behaviours, { calls: 2, failure: 'NO_IMAGE_DATA' });
  });
});

describe('a provider that is unreachable', () => {
  // A hundred times the first pause: a machine that stands still for a moment does not use it up between two calls.
  const busyWaitMs = limitMs(2_000);
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
    expect(row!.calls).toMatchObject({ started: 0, server_errors: 0, lost: 0 });
    expect(row!.calls.refused).toBeGreaterThan(1);
    expect(row!.ended_at!.getTime() - row!.queued_at!.getTime()).toBeGreaterThanOrEqual(busyWaitMs);
  });
});
