/** Steps of the tests of lock-out: sign-ins from different networks, on two servers. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import type { RunningServer } from '#server/server.ts';
import { connectionOf } from '#shared/data/models.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { createVisitor, forgetAttempts, type Visitor } from '#tests/support/visitor.ts';

// The proxy is the test: it says which network a request comes from.
export const test = testWithSeller({ settings: { TRUSTED_PROXIES: '1' } }, { paid: false }).extend(
  'another',
  { scope: 'file' },
  ({ stack }) => stack.startServer(),
);

export const stranger = '203.0.113.7';
export const home = '198.51.100.1';
let networks = 0;
export const anotherNetwork = () => {
  networks += 1;
  return `2001:db8:0:${networks.toString(16)}::1`;
};

/** Signs in once the window of the limit below this one has passed. */
export async function signIn(
  stack: TestStack,
  email: string,
  { password = testPassword, from = home, on = stack.url, code = undefined as string | undefined } = {},
  visitor: Visitor = createVisitor(on),
): Promise<Answer<unknown>> {
  await forgetAttempts(stack.db);
  return visitor.post(paths.session, { email, password, code }, { 'x-forwarded-for': from });
}

/** Fails to sign in, on both servers in turn. */
export async function fail(
  stack: TestStack,
  another: RunningServer,
  email: string,
  times: number,
  from = stranger,
): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const on = count % 2 === 0 ? stack.url : another.url;
    expectError(await signIn(stack, email, { password: 'Wrong-Horse-7', from, on }), 'BAD_CREDENTIALS');
  }
}

export async function expectLocked(
  stack: TestStack,
  email: string,
  from = stranger,
  on = stack.url,
): Promise<void> {
  for (const password of ['Wrong-Horse-7', testPassword]) {
    const answer = await signIn(stack, email, { password, from, on });
    expectError(answer, 'ACCOUNT_LOCKED');
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).toBeGreaterThan((limits.lockOutMinutes - 1) * 60);
    expect(wait).toBeLessThanOrEqual(limits.lockOutMinutes * 60);
  }
}

/** A browser that has signed in. */
export async function ownBrowser(stack: TestStack, seller: Seller, from = home): Promise<Visitor> {
  const browser = createVisitor(stack.url);
  expect(await signIn(stack, seller.email, { from }, browser)).toMatchObject({ status: 200 });
  return browser;
}

export const locked = async (stack: TestStack, seller: Seller) =>
  (await stack.models.profiles.findById(seller.id).lean())?.account_locked;
export const lockMails = (stack: TestStack, seller: Seller) =>
  stack.models.mails.countDocuments({ to: seller.email, subject: /wrong passwords/ });

/** Lets almost as many failures be counted as lock all devices that are not known, then fails from new networks. */
export async function lockEverybody(stack: TestStack, another: RunningServer, seller: Seller): Promise<void> {
  await fail(stack, another, seller.email, 1, anotherNetwork());
  const counts = connectionOf(stack.db).collection('sign_in_failures_of_all');
  const [last] = await counts.find().sort({ expire: -1 }).limit(1).toArray();
  await counts.updateOne({ _id: last!._id }, { $set: { points: limits.lockOutFailuresOfAll - 1 } });
  await fail(stack, another, seller.email, 1, anotherNetwork());
}
