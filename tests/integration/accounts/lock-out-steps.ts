/** Steps of the lock-out tests: sign-ins from different networks, on two servers. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import type { RunningServer } from '#server/server.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { expectError } from '#tests/support/errors.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { createVisitor, resetSignInLimit, type Visitor } from '#tests/support/visitor.ts';

// The test acts as a proxy: its X-Forwarded-For header says which network a request comes from.
export const test = testWithSeller({ settings: { TRUSTED_PROXIES: '1' } }, { paid: false }).extend(
  'otherServer',
  { scope: 'file' },
  ({ stack }) => stack.startServer(),
);

export const attackerNetwork = '203.0.113.7';
export const ownerNetwork = '198.51.100.1';
let networkCount = 0;
export const newNetwork = () => {
  networkCount += 1;
  // A wider network of its own, too.
  return `2001:db8:${networkCount.toString(16)}::1`;
};

/** Signs in. Resets the limit of attempts a minute first, because a lock-out takes more failures than it allows. */
export async function signIn(
  stack: TestStack,
  email: string,
  {
    password = testPassword,
    from = ownerNetwork,
    on = stack.url,
    code = undefined as string | undefined,
  } = {},
  visitor: Visitor = createVisitor(on),
): Promise<Answer<unknown>> {
  await resetSignInLimit(stack.db);
  return visitor.post(paths.session, { email, password, code }, { 'x-forwarded-for': from });
}

const failOnce = async (stack: TestStack, on: string, email: string, from: string) =>
  expectError(await signIn(stack, email, { password: 'Wrong-Horse-7', from, on }), 'BAD_CREDENTIALS');

/** Fails to sign in, on the two servers alternately. */
export async function failEachSignIn(
  stack: TestStack,
  otherServer: RunningServer,
  email: string,
  times: number,
  from = attackerNetwork,
): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await failOnce(stack, count % 2 === 0 ? stack.url : otherServer.url, email, from);
  }
}

/**
 * Does the same for a network that has no failures yet, and faster: it fails on each server, and the count is set between
 * the two.
 */
export async function failSignIns(
  stack: TestStack,
  otherServer: RunningServer,
  email: string,
  times: number,
  from = attackerNetwork,
): Promise<void> {
  const counts = connectionOf(stack.db).collection('sign_in_failures');
  const before = await counts.distinct('_id');
  await failOnce(stack, stack.url, email, from);
  // Of the network, and of the wider ones.
  await counts.updateMany({ _id: { $nin: before } }, { $set: { points: times - 1 } });
  await failOnce(stack, otherServer.url, email, from);
}

export async function expectLocked(
  stack: TestStack,
  email: string,
  from = attackerNetwork,
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

/** Signs in with a new browser, which makes it a known device. */
export async function knownBrowser(stack: TestStack, seller: Seller, from = ownerNetwork): Promise<Visitor> {
  const browser = createVisitor(stack.url);
  expect(await signIn(stack, seller.email, { from }, browser)).toMatchObject({ status: 200 });
  return browser;
}

export const isLocked = async (stack: TestStack, seller: Seller) =>
  (await stack.models.profiles.findById(seller.id).lean())?.account_locked;
export const countLockMails = (stack: TestStack, seller: Seller) =>
  stack.models.mails.countDocuments({ to: seller.email, subject: /wrong passwords/ });

/** Locks out all unknown devices: fails, sets the count to one below the limit, and fails from another network. */
export async function lockOutUnknownDevices(
  stack: TestStack,
  otherServer: RunningServer,
  seller: Seller,
): Promise<void> {
  await failEachSignIn(stack, otherServer, seller.email, 1, newNetwork());
  const counts = connectionOf(stack.db).collection('sign_in_failures_of_all');
  const [last] = await counts.find().sort({ expire: -1 }).limit(1).toArray();
  await counts.updateOne({ _id: last!._id }, { $set: { points: limits.lockOutFailuresOfAll - 1 } });
  await failEachSignIn(stack, otherServer, seller.email, 1, newNetwork());
}
