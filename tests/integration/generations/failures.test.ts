import { once } from 'node:events';
import { createServer } from 'node:net';
import { beforeAll, describe, expect } from 'vitest';
import { type GenerationFailureCode, generationFailures } from '#contract';
import type { Behaviour } from '#local/openai/control-client.ts';
import { readCup } from '#scripts/match-report/samples.ts';
import type { GivenSettings } from '#shared/platform/settings.ts';
import { eventually } from '#tests/support/harness.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import type { Form, Seller, SellerWindow } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';

const test = testWithSeller({ workers: 0 });
test.beforeEach(async ({ stack }) => {
  await stack.images.reset();
  // The failures of several tests in a row would open the breaker.
  await Promise.all([stack.models.providerFlows.deleteMany(), stack.models.providerPauses.deleteMany()]);
});

/** Starts a worker for the tests of a `describe` block. */
function useWorker(settings: GivenSettings = {}): void {
  test.beforeAll(async ({ stack }) => {
    const worker = await stack.startWorker(settings);
    return () => worker.close();
  });
}

interface End {
  /** Undefined when it depends on timing. */
  calls?: number;
  /** Undefined when it succeeds. */
  failure?: GenerationFailureCode;
  /** The provider's error in the row, for the operator. */
  status?: number | null;
  code?: string | null;
}

/** Submits, waits for the end, and expects the seller's view, the row, the balance and the ledger to match it. */
async function expectEnd(
  stack: TestStack,
  seller: Seller,
  window: SellerWindow,
  behaviours: Behaviour[],
  end: End,
  form?: Form,
): Promise<void> {
  await stack.images.set({ behaviours });
  const { id } = await seller.submit(form);
  const view = await window.untilEnded(id);
  const row = (await stack.models.generations.findById(id).lean())!;
  const { calls } = await stack.images.state();
  if (end.calls !== undefined) expect(calls).toHaveLength(end.calls);
  if (end.failure === undefined) {
    expect(view).toMatchObject({ state: 'succeeded', failure: null });
    expect(row.provider?.request_id).toBe(calls.at(-1)!.requestId);
  } else {
    expect(view.state).toBe('failed');
    // Only the catalogue's message; the provider's text is not shown to sellers.
    expect(view.failure).toEqual({
      code: end.failure,
      message: generationFailures[end.failure],
      requestId: row.trace?.id,
    });
    expect(row.failure).toMatchObject({
      provider_status: end.status ?? null,
      provider_code: end.code ?? null,
    });
    if (end.status) expect(row.failure!.provider_request_id).toBe(calls.at(-1)!.requestId);
  }
  const succeeded = end.failure === undefined;
  expect((await seller.me()).subscription).toMatchObject({
    generationsLeft: succeeded ? 99 : 100,
    generationsHeld: 0,
  });
  const entries = await stack.models.creditEntries.find({ key: id }).lean();
  expect(entries.map((entry) => entry.kind)).toEqual([succeeded ? 'settle' : 'release']);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
}

const refused = (
  status: number,
  code: string | null,
  type = 'invalid_request_error',
  headers?: Record<string, string>,
): Behaviour => ({ kind: 'error', status, code, type, ...(headers ? { headers } : {}) });
const ok: Behaviour = { kind: 'ok' };
const rateLimited = refused(429, 'rate_limit_exceeded', 'requests');
const serverError = refused(500, 'server_error', 'server_error');
const overloaded = refused(503, 'server_is_overloaded', 'server_error');

describe('replies of the provider', () => {
  useWorker({ PROVIDER_STALL_MS: '700' });

  test.for<[name: string, behaviours: Behaviour[], end: End]>([
    ['a rate limit once', [rateLimited, ok], { calls: 2 }],
    ['slow_down once', [refused(429, 'slow_down', 'requests'), ok], { calls: 2 }],
    [
      'more rate limits than the number of tries',
      [...Array<Behaviour>(4).fill(rateLimited), ok],
      { calls: 5 },
    ],
    ['a used-up quota that is raised later', [refused(429, null, 'insufficient_quota'), ok], { calls: 2 }],
    ...[
      'credit_balance_exhausted',
      'organization_spend_limit_exceeded',
      'project_spend_limit_exceeded',
      'organization_usage_limit_exceeded',
    ].map((code): [string, Behaviour[], End] => [
      `${code}, resolved later`,
      [refused(429, code, 'insufficient_quota'), ok],
      { calls: 2 },
    ]),
    [
      'moderation',
      [refused(400, 'moderation_blocked', 'image_generation_user_error')],
      { calls: 1, failure: 'CONTENT_REFUSED', status: 400, code: 'moderation_blocked' },
    ],
    ...['invalid_image_file', 'invalid_image'].map((code): [string, Behaviour[], End] => [
      `photos that it cannot use (${code})`,
      [refused(400, code, 'image_generation_user_error')],
      { calls: 1, failure: 'PHOTOS_UNREADABLE', status: 400, code },
    ]),
    ...(['nested', 'flat'] as const).map((shape): [string, Behaviour[], End] => [
      `photos that it cannot use, as an error in the stream (${shape})`,
      [{ kind: 'stream-error', shape, code: 'invalid_image_file' }],
      { calls: 1, failure: 'PHOTOS_UNREADABLE', code: 'invalid_image_file' },
    ]),
    [
      'a request that it does not accept',
      [refused(400, 'invalid_value')],
      { calls: 1, failure: 'PROVIDER_ERROR', status: 400, code: 'invalid_value' },
    ],
    ['a wrong key, replaced later', [refused(401, 'invalid_api_key'), ok], { calls: 2 }],
    ['an organisation that is not verified yet', [refused(403, null), ok], { calls: 2 }],
    ['a server error once', [serverError, ok], { calls: 2 }],
    [
      'a server error twice',
      [serverError, serverError],
      { calls: 2, failure: 'PROVIDER_ERROR', status: 500, code: 'server_error' },
    ],
    ['a rate limit after a server error', [serverError, rateLimited, ok], { calls: 3 }],
    ['overload twice', [overloaded, overloaded, ok], { calls: 3 }],
    ['a stream that stalls once', [{ kind: 'stall' }, ok], { calls: 2 }],
    [
      'a stream that stalls twice',
      [{ kind: 'stall' }, { kind: 'stall' }],
      { calls: 2, failure: 'TIMED_OUT' },
    ],
    [
      'a stall before the first byte, twice',
      [{ kind: 'stall-before' }, { kind: 'stall-before' }],
      { calls: 2, failure: 'TIMED_OUT' },
    ],
    ['a cut stream once', [{ kind: 'cut' }, ok], { calls: 2 }],
    ['a cut stream twice', [{ kind: 'cut' }, { kind: 'cut' }], { calls: 2, failure: 'PROVIDER_ERROR' }],
    [
      'a stream that ends early, twice',
      [{ kind: 'truncate' }, { kind: 'truncate' }],
      { calls: 2, failure: 'PROVIDER_ERROR' },
    ],
    ...(['nested', 'flat'] as const).map((shape): [string, Behaviour[], End] => [
      `a ${shape} error in the stream, twice`,
      [
        { kind: 'stream-error', shape },
        { kind: 'stream-error', shape },
      ],
      { calls: 2, failure: 'PROVIDER_ERROR', code: 'server_error' },
    ]),
    ['an invalid response once', [{ kind: 'invalid-response', what: 'not-an-image' }, ok], { calls: 2 }],
    ...(
      [
        ['empty-data', 'NO_IMAGE_DATA'],
        ['not-an-image', 'NO_IMAGE_DATA'],
        ['wrong-size', 'NO_IMAGE_DATA'],
        ['not-json', 'PROVIDER_ERROR'],
        ['html', 'PROVIDER_ERROR'],
      ] as const
    ).map(([what, failure]): [string, Behaviour[], End] => [
      `${what} twice`,
      [
        { kind: 'invalid-response', what },
        { kind: 'invalid-response', what },
      ],
      { calls: 2, failure },
    ]),
  ])('%s', ([, behaviours, end], { stack, seller, window }) =>
    expectEnd(stack, seller, window, behaviours, end),
  );

  test.for<[header: string, value: string, leastMs: number]>([
    ['retry-after-ms', '400', 400],
    ['retry-after', '1', 1_000],
  ])('the delay in %s is respected', async ([header, value, leastMs], { stack, seller, window }) => {
    await expectEnd(
      stack,
      seller,
      window,
      [refused(429, 'rate_limit_exceeded', 'requests', { [header]: value }), ok],
      { calls: 2 },
    );
    const [first, second] = (await stack.images.state()).calls;
    expect(Date.parse(second!.at) - Date.parse(first!.at)).toBeGreaterThanOrEqual(leastMs);
  });

  test('a second job of the same generation does not shorten the delay', async ({
    stack,
    seller,
    window,
  }) => {
    const wait = refused(429, 'rate_limit_exceeded', 'requests', { 'retry-after-ms': '1500' });
    await stack.images.set({ behaviours: [wait, ok] });
    const { id } = await seller.submit();
    await window.until(id, (view) => view.progress?.stage === 'waiting');
    // Like the reconciler's, when the queue seems to have lost the first job.
    const { queue } = stack.server.context;
    await queue.add('generate', { generationId: id }, { jobId: `generation-${id}-again` });
    expect((await window.untilEnded(id)).state).toBe('succeeded');
    const { calls } = await stack.images.state();
    expect(calls).toHaveLength(2);
    expect(Date.parse(calls[1]!.at) - Date.parse(calls[0]!.at)).toBeGreaterThanOrEqual(1_500);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  });
});

describe('images that are of no use', () => {
  // The stand-in needs longer for a copy than the time limits of the other tests.
  useWorker();

  test.for<[string, Behaviour]>([
    ['blank', { kind: 'blank' }],
    ['a copy of a photo', { kind: 'copy' }],
  ])('an image that is %s is replaced once', async ([, useless], { stack, seller, window }) => {
    const form = { photos: [readCup().png, await samplePhoto()] };
    await expectEnd(stack, seller, window, [useless, ok], { calls: 2 }, form);
  });

  test.for<[string, Behaviour]>([
    ['blank', { kind: 'blank' }],
    ['a copy of a photo', { kind: 'copy' }],
  ])('an image that is %s, twice', async ([, useless], { stack, seller, window }) => {
    const end: End = { calls: 2, failure: 'NO_IMAGE_DATA' };
    await expectEnd(stack, seller, window, [useless, useless], end, { photos: [readCup().png] });
  });
});

describe('a call that exceeds the total time limit', () => {
  useWorker({ PROVIDER_TIMEOUT_MS: '600' });
  test('is aborted and not repeated', async ({ stack, seller, window }) => {
    await expectEnd(stack, seller, window, [{ kind: 'hold' }], { calls: 1, failure: 'TIMED_OUT' });
    await stack.images.waitFor({ active: 0 });
  });
});

describe('a provider that is unreachable', () => {
  const settings: GivenSettings = { PROVIDER_BUSY_WAIT_MS: '400' };
  beforeAll(async () => {
    const port = createServer().listen(0, '127.0.0.1');
    await once(port, 'listening');
    settings.OPENAI_BASE_URL = `http://127.0.0.1:${(port.address() as { port: number }).port}/v1`;
    port.close();
    await once(port, 'close');
  });
  useWorker(settings);
  test('is retried for as long as PROVIDER_BUSY_WAIT_MS says', async ({ stack, seller, window }) => {
    await expectEnd(stack, seller, window, [], { calls: 0, failure: 'PROVIDER_BUSY' });
    const row = await stack.models.generations.findOne({ profile: seller.id }).lean();
    expect(row!.calls).toMatchObject({ started: 1, server_errors: 0, lost: 0 });
    expect(row!.calls.refused).toBeGreaterThan(1);
    expect(row!.ended_at!.getTime() - row!.queued_at!.getTime()).toBeGreaterThanOrEqual(400);
  });
});

describe('an account problem that is not solved', () => {
  useWorker({ PROVIDER_ACCOUNT_WAIT_MS: '400' });
  test('fails waiting generations, which use no image', async ({ stack, seller, window }) => {
    await stack.images.set({ default: refused(401, 'invalid_api_key') });
    await expectEnd(stack, seller, window, [], {
      failure: 'GENERATION_FAILED',
      status: 401,
      code: 'invalid_api_key',
    });
  });
});
