/** The demo sellers' password works only while the server accepts no connections from other machines. */
import { expect } from 'vitest';
import { paths, type Service, type SessionReply } from '#contract';
import { disableDemoSellers } from '#scripts/start/demo-password.ts';
import { demoSeller } from '#scripts/start/demo-sellers.ts';
import { makeSellers } from '#scripts/start/seller.ts';
import { startServer } from '#server/server.ts';
import { demoAddresses } from '#shared/platform/production.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

/** @returns the session's token, undefined if the password is wrong */
async function signIn(stack: TestStack, email: string, password: string): Promise<string | undefined> {
  const reply = await fetch(stack.url + paths.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return reply.status === 200 ? ((await reply.json()) as SessionReply).token : undefined;
}

test('it is disabled while other machines can connect, and restored afterwards', async ({ stack }) => {
  const { mongodbUrl } = stack.config;
  const stores = { mongodbUrl, stripeUrl: stack.config.billing.apiUrl! };
  const { email, password } = demoSeller;
  expect(await makeSellers(stores, [demoSeller])).toEqual([true]);
  const token = await signIn(stack, email, password);
  expect(token).toBeDefined();
  const other = await stack.seller();
  const me = async () => {
    const reply = await fetch(stack.url + paths.me, { headers: { authorization: `Bearer ${token}` } });
    return reply.status;
  };
  expect(await me()).toBe(200);

  expect(await disableDemoSellers(mongodbUrl)).toBe(1);
  expect(await signIn(stack, email, password)).toBeUndefined();
  await expect.poll(me).toBe(401);
  expect((await other.request(paths.me)).status).toBe(200);

  expect(await makeSellers(stores, [demoSeller])).toEqual([false]);
  expect(await signIn(stack, email, password)).toBeDefined();
});

test('the server does not start in production with a demo seller in the database', async ({ stack }) => {
  await expect(startServer({ ...stack.config, port: 0, production: true })).rejects.toThrow(demoAddresses[0]);
  await stack.models.users.deleteMany({ email: { $in: [...demoAddresses] } });
  const server = await startServer({ ...stack.config, port: 0, production: true });
  await server.close();
});

test('without a session, the API tells whether it is a try-out', async ({ stack }) => {
  const service = async (url: string) => (await (await fetch(url + paths.service)).json()) as Service;
  expect(await service(stack.url)).toEqual({ tryOut: false, freeImages: 3, imagePacks: [], banner: null });
  const tryOut = await stack.startServer({ TRY_OUT: 'true' });
  expect(await service(tryOut.url)).toEqual({ tryOut: true, freeImages: 3, imagePacks: [], banner: null });
});
