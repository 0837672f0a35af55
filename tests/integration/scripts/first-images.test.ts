/** The first images that `npm start` makes over the API, against a test stack. */
import { expect } from 'vitest';
import { makeFirstImages } from '#scripts/start/first-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { testWithStack } from '#tests/support/test.ts';

const never = new AbortController().signal;

const test = testWithStack();
test.afterEach(({ stack }) => stack.images.reset());

test('a new seller gets three first images, which count against the plan; a seller with images gets none', async ({
  stack,
}) => {
  const seller = await stack.seller();
  expect(await makeFirstImages(stack.url, seller, never)).toMatch(
    /^created 3 images .* count towards its plan$/,
  );
  const states = (await seller.generations()).map(({ state }) => state);
  expect(states).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 97, generationsHeld: 0 });
  expect(await makeFirstImages(stack.url, seller, never)).toBeUndefined();
  expect(await seller.generations()).toHaveLength(3);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a failure of the first images is reported in one line', async ({ stack }) => {
  const seller = await stack.seller();
  await stack.images.set({
    behaviours: [
      { kind: 'error', status: 400, code: 'invalid_image_file', type: 'image_generation_user_error' },
    ],
  });
  expect(await makeFirstImages(stack.url, seller, never)).toMatch(
    /\(2 of 3\): Failed to process image files$/,
  );
  expect(await makeFirstImages('http://127.0.0.1:9', seller, never)).toMatch(/\(0 of 3\): no answer/);
});

test('aborting cancels the running generation, which does not count against the plan', async ({ stack }) => {
  const seller = await stack.seller();
  await stack.images.set({ default: { kind: 'hold' } });
  const aborting = new AbortController();
  const line = makeFirstImages(stack.url, seller, aborting.signal);
  await stack.images.waitFor({ waiting: 1 });
  aborting.abort();
  expect(await line).toBeUndefined();
  await expect
    .poll(async () => (await seller.generations()).map(({ state }) => state))
    .toEqual(['cancelled']);
  expect((await seller.me()).subscription).toMatchObject({ generationsLeft: 100, generationsHeld: 0 });
});
