import OpenAI from 'openai';
import { expect } from 'vitest';
import { limitMs } from '../harness.ts';
import { photoFile, testWithServer } from './harness.ts';

const test = testWithServer().extend(
  'ask',
  ({ subject }) =>
    async () =>
      subject.client.images
        .edit({ model: 'gpt-image-2.5-flare', prompt: 'x', image: await photoFile(), size: '1024x1024' })
        .withResponse(),
);

const named = (headers: Headers | undefined, name: string) => headers?.get(`x-ratelimit-${name}-requests`);

test('enforces a limit of calls in any window, and announces what is left of it', async ({
  subject,
  ask,
}) => {
  const windowMs = limitMs(1_500);
  await subject.control.set({ default: { kind: 'limits', perWindow: 2, windowMs, ms: 0 } });
  const first = (await ask()).response.headers;
  expect([named(first, 'limit'), named(first, 'remaining')]).toEqual(['2', '1']);
  const [, left] = /^(\d+)ms$/.exec(named(first, 'reset')!)!;
  expect(Number(left)).toBeGreaterThan(0);
  expect(Number(left)).toBeLessThanOrEqual(windowMs);
  const second = (await ask()).response.headers;
  expect(named(second, 'remaining')).toBe('0');
  const refused = await ask().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
  expect(named((refused as InstanceType<typeof OpenAI.RateLimitError>).headers, 'remaining')).toBe('0');
  // A rolling window: the first call makes room, not the end of a period.
  await expect
    .poll(
      () =>
        ask().then(
          ({ response }) => response.status,
          () => 429,
        ),
      { interval: 100 },
    )
    .toBe(200);
  const { calls } = await subject.control.state();
  const made = calls.filter(({ outcome }) => outcome === 'completed').map(({ at }) => Date.parse(at));
  expect(made).toHaveLength(3);
  expect(made[2]! - made[0]!).toBeGreaterThanOrEqual(windowMs - 50);
});

test('enforces a limit of calls at the same time', async ({ subject, ask }) => {
  await subject.control.set({ default: { kind: 'limits', windowMs: 1, inFlight: 2, ms: limitMs(500) } });
  const asked = await Promise.allSettled([ask(), ask(), ask()]);
  expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  const again = await ask();
  expect(again.response.status).toBe(200);
  expect(named(again.response.headers, 'remaining')).toBeNull();
});
