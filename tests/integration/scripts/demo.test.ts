/** What `npm run demo` and `npm start` do over the API, against a test stack. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createSessionStore, signInOnce } from '#scripts/demo/sessions.ts';
import { makeFirstImages } from '#scripts/start/first-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { temporaryFolder, testWithStack } from '#tests/support/test.ts';

const never = new AbortController().signal;

const test = testWithStack().extend('folder', { scope: 'file' }, ({ stack }, { onCleanup }) =>
  temporaryFolder(stack, onCleanup),
);
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

test('runs share one session, so that they stay within the sign-in limit, until the server rejects it', async ({
  stack,
  folder,
}) => {
  const seller = await stack.seller();
  const store = createSessionStore(join(folder, randomUUID()));
  const credentials = { email: seller.email, password: seller.password };
  for (let run = 0; run < 8; run += 1) {
    const client = await signInOnce(stack.url, credentials, store);
    expect((await client.me()).user.email).toBe(seller.email);
  }
  const kept = await store.read(stack.url, seller.email);
  const [header, payload] = kept!.token.split('.');
  const forged = { ...kept!, token: `${header}.${payload}.${'A'.repeat(43)}` };
  await store.write(stack.url, seller.email, forged);
  await (await signInOnce(stack.url, credentials, store)).me();
  const renewed = await store.read(stack.url, seller.email);
  expect(renewed).toBeDefined();
  expect(renewed).not.toEqual(forged);
});
