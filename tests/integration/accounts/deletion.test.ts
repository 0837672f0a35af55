import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { paths, type RecoveryCodes, type TwoFactorSetup } from '#contract';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { issueToken } from '#shared/data/account-tokens.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { removeIncompleteAccounts } from '#shared/data/accounts/incomplete.ts';
import { newId } from '#shared/data/db.ts';
import { deviceKey, rememberDevice } from '#shared/data/known-devices.ts';
import { storageKeys } from '#shared/platform/storage.ts';
import { anotherSession, call, codeOf, signIn } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { FaultError, withFault } from '#tests/support/faults.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { subscriber } from '#tests/support/subscriber.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { reconcileBilling } from '#worker/billing-upkeep.ts';

// Its own rounds of upkeep would finish before a test has looked.
const test = testWithCrashableDb({ settings: { UPKEEP_INTERVAL_MS: '600000' } });

const remove = (seller: Seller, body: object = { password: testPassword }) =>
  call(seller, 'POST', paths.deletion, body);

/** What is left of a seller, by collection; files by their folders. */
async function leftOf(
  stack: TestStack,
  id: string,
  email: string,
  generations: string[],
): Promise<Record<string, number>> {
  const { models } = stack;
  const left = {
    users: await models.users.countDocuments({ _id: id }),
    profiles: await models.profiles.countDocuments({ _id: id }),
    settings: await models.userSettings.countDocuments({ user_id: id }),
    sessions: await models.sessions.countDocuments({ user_id: id }),
    tokens: await models.accountTokens.countDocuments({ user_id: id }),
    devices: await models.knownDevices.countDocuments({ user_id: id }),
    activities: await models.activities.countDocuments({ user_id: id }),
    generations: await models.generations.countDocuments({ profile: id }),
    ledger: await models.creditEntries.countDocuments({ profile: id }),
    mails: await models.mails.countDocuments({ to: email, subject: { $ne: 'Your account was deleted' } }),
    folders: (await readdir(join(stack.config.storageFolder, 'generations'))).filter((folder) =>
      generations.includes(folder),
    ).length,
  };
  return Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0));
}

/** A seller with something in every collection: a finished image, one under way, a change of address that was asked for. */
async function settledSeller(stack: TestStack, seller: Seller): Promise<string[]> {
  await stack.images.set({ default: { kind: 'ok' } });
  const window = await seller.openWindow();
  const done = await seller.submit();
  await window.untilEnded(done.id);
  await stack.images.set({ default: { kind: 'hold' } });
  const running = await seller.submit();
  await window.until(running.id, ({ state }) => state === 'running');
  window.close();
  await call(seller, 'POST', paths.email, { email: `new-${seller.email}`, password: testPassword });
  return [done.id, running.id];
}

/** The same in little time, for tests that need many. */
async function briefSeller(stack: TestStack, seller: Seller): Promise<string[]> {
  await stack.images.set({ default: { kind: 'hold' } });
  const running = await seller.submit();
  const row = await stack.models.generations.findById(running.id).lean();
  const done = newId();
  const image = { key: storageKeys.image(done, 1), width: 1, height: 1, bytes: 1 };
  await stack.server.context.storage.put(image.key, Buffer.alloc(1));
  await stack.models.generations.create({
    ...row,
    _id: done,
    idempotency_key: done,
    state: 'succeeded',
    image,
  });
  await rememberDevice(stack.db, deviceKey('secret', seller.id), seller.id);
  await issueToken(stack.db, { kind: 'change-email', sellerId: seller.id, lifeMs: 60_000 });
  return [done, running.id];
}

test('an account is deleted with all that is in it, its plan ends, and its address is free', async ({
  stack,
}) => {
  const seller = await subscriber(stack, 'freelance');
  const customer = (await stack.models.profiles.findById(seller.id).lean())!.stripe_customer_id!;
  const generations = await settledSeller(stack, seller);
  const other = await anotherSession(stack.url, seller);
  const window = await other.openWindow();
  const closed = new Promise((resolve) => window.socket.once('disconnect', resolve));

  const answer = await remove(seller);
  expect(answer.status).toBe(204);
  expect(answer.headers.get('set-cookie')).toMatch(/^packshot=;/);
  await closed;
  for (const each of [seller, other]) expect((await each.request(paths.me)).status).toBe(401);
  expectError(await signIn(stack.url, { email: seller.email }), 'BAD_CREDENTIALS');
  // In the background after the answer: what runs is stopped, and Stripe charges nothing any more.
  const { stripe } = stack.server.context.billing;
  await expect.poll(async () => (await stripe.customers.retrieve(customer)).deleted).toBe(true);
  await expect.poll(async () => (await stack.images.state()).active).toBe(0);
  await stack.stripe.settled();
  await expect
    .poll(async () => (await stack.models.profiles.findById(seller.id).lean())?.stripe_customer_id)
    .toBeNull();

  // Whoever takes the address meanwhile is somebody else.
  const successor = await stack.seller({ email: seller.email });
  expect(successor.id).not.toBe(seller.id);
  expect((await reconcileBilling(workerContext(stack), atOnce)).accountsDeleted).toBe(1);
  expect(await leftOf(stack, seller.id, 'nobody', generations)).toEqual({});
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'deleted' });
  expect(mail.text).toContain('was deleted');
  const subjects = (await stack.mails.mails(seller.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => /subscription/i.test(subject))).toEqual([]);
  expect(await stack.audit()).toEqual([]);
  expect((await successor.me()).user.email).toBe(seller.email);
  expect(await reconcileBilling(workerContext(stack), atOnce)).toMatchObject({ accountsDeleted: 0 });
});

test('a deletion asks for the password, and for a code where two-factor is on', async ({ stack }) => {
  const seller = await stack.seller();
  expectError(await remove(seller, { password: 'Wrong-Horse-7' }), 'WRONG_PASSWORD');
  expect((await remove(seller, {})).body.error).toMatchObject({ code: 'VALIDATION', field: 'password' });
  const setup = await call<TwoFactorSetup>(seller, 'POST', paths.twoFactor, { password: testPassword });
  const on = { code: codeOf(setup.body.secret) };
  const codes = await call<RecoveryCodes>(seller, 'POST', paths.confirmTwoFactor, on);
  expectError(await remove(seller), 'CODE_REQUIRED');
  expectError(await remove(seller, { password: testPassword, ...on }), 'CODE_INVALID');
  expect((await seller.me()).user.id).toBe(seller.id);
  const code = codes.body.recoveryCodes[0]!;
  expect((await remove(seller, { password: testPassword, code })).status).toBe(204);
});

test('nothing is removed before those who know the account have learned of its end', async ({ stack }) => {
  const seller = await stack.seller();
  await beginDeletion(stack.db, seller.id);
  const context = workerContext(stack);
  expect(await finishDeletion(context, seller.id)).toBe(false);
  expect(await stack.models.profiles.countDocuments({ _id: seller.id })).toBe(1);
  // The upkeep that clears half-made sign-ups leaves it alone.
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: { login_count: 0 } });
  await removeIncompleteAccounts(stack.db, new Date());
  expect(await stack.models.profiles.countDocuments({ _id: seller.id })).toBe(1);
  expect(await finishDeletion(context, seller.id, new Date())).toBe(true);
  expect(await finishDeletion(context, seller.id, new Date())).toBe(true);
});

test('an account that was not given up stays, whoever asks', async ({ stack }) => {
  const seller = await stack.seller();
  expect(await finishDeletion(workerContext(stack), seller.id, new Date())).toBe(false);
  expect((await seller.me()).user.id).toBe(seller.id);
});

test('while Stripe does not answer nothing is removed, and other deletions go on', async ({ stack }) => {
  const [stuck, other] = [await stack.seller(), await stack.seller()];
  for (const { id } of [stuck, other]) await beginDeletion(stack.db, id);
  // Busy: a change of its plan is under way.
  const busy = { billing_lease_until: new Date(Date.now() + 60_000) };
  await stack.models.profiles.updateOne({ _id: stuck.id }, { $set: busy });
  await expect(reconcileBilling(workerContext(stack), atOnce)).rejects.toThrow(/accountsDeleted/);
  expect(await stack.models.profiles.countDocuments({ _id: stuck.id })).toBe(1);
  expect(await stack.models.profiles.countDocuments({ _id: other.id })).toBe(0);
  await stack.models.profiles.updateOne({ _id: stuck.id }, { $set: { billing_lease_until: null } });
  await reconcileBilling(workerContext(stack), atOnce);
  expect(await stack.models.profiles.countDocuments({ _id: stuck.id })).toBe(0);
});

// It stops at the first error: before an operation, or after one whose answer is lost, is all that there is.
test.for(['dies-before', 'answer-lost'] as const)(
  'a deletion that meets "%s" at any of its steps leaves nothing in the end',
  async (kind, { stack, crashableDb }) => {
    let broken = true;
    let at = 0;
    for (; broken; at += 1) {
      expect(at, 'a deletion takes fewer steps than this').toBeLessThan(60);
      const seller = await stack.seller();
      const generations = await briefSeller(stack, seller);
      const work = async () => {
        await beginDeletion(crashableDb, seller.id);
        await finishDeletion(workerContext(stack, crashableDb), seller.id, new Date());
      };
      broken = await withFault({ kind, at }, work).then(
        () => false,
        (error) => {
          if (error instanceof FaultError) return true;
          throw error;
        },
      );
      const marked = await stack.models.profiles.findOne({ _id: seller.id, deletion_asked_at: null }).lean();
      // Died before it was marked: the seller has got no answer, and still has the account.
      if (marked) {
        expect((await seller.me()).user.id).toBe(seller.id);
        await beginDeletion(stack.db, seller.id);
      }
      await reconcileBilling(workerContext(stack), atOnce);
      expect([kind, at, await leftOf(stack, seller.id, seller.email, generations)]).toEqual([kind, at, {}]);
      expect(await stack.models.mails.countDocuments({ _id: `deleted-${seller.id}` })).toBe(1);
    }
    expect(at).toBeGreaterThan(15);
    expect(await stack.audit()).toEqual([]);
  },
);
