/** Sign-up, verification and reset that meet a fault at each of their steps in the database: whole, or not at all. */

import { expect } from 'vitest';
import { paths } from '#contract';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { buildApp } from '#server/app.ts';
import type { App } from '#server/http/app-type.ts';
import { hashSecret, issueToken } from '#shared/data/account-tokens.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { removeIncompleteAccounts } from '#shared/data/accounts/incomplete.ts';
import { startSession } from '#shared/data/sessions.ts';
import { type Fault, faultKinds, withFault } from '#tests/support/faults.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { createVisitor, forgetAttempts, newAddress, signUpForm } from '#tests/support/visitor.ts';

const test = testWithCrashableDb({ workers: 0 })
  // The server that dies, without a listener.
  .extend('app', { scope: 'file' }, async ({ stack, crashableDb }, { onCleanup }) => {
    const app = await buildApp({ ...stack.server.context, db: crashableDb });
    onCleanup(() => app.close());
    await app.ready();
    return app;
  })
  .extend('passwordHash', { scope: 'file' }, () => hashPassword(testPassword, 'test'));

/** Sends a request to the server that meets a fault. @returns the status of its answer */
async function sendWithFault(
  app: App,
  fault: Fault,
  path: string,
  body: object,
  headers = {},
): Promise<number> {
  // Awaited within: only then is the request sent.
  return withFault(fault, async () => {
    const { statusCode } = await app.inject({ method: 'POST', url: path, payload: body, headers });
    return statusCode;
  });
}

/** What a server that lives answers. */
async function post(stack: TestStack, path: string, body: object, headers = {}): Promise<number> {
  return (await createVisitor(stack.url).post(path, body, headers)).status;
}
async function signIn(stack: TestStack, email: string, password: string): Promise<number> {
  await forgetAttempts(stack.db);
  return post(stack, paths.session, { email, password });
}

/**
 * Lets a fault happen at each step in turn, until it comes too late.
 * @param tryAt makes a case of its own, meets the fault and checks what is left
 * @returns the steps
 */
async function atEveryStep(
  kind: Fault['kind'],
  right: number,
  tryAt: (fault: Fault) => Promise<number>,
): Promise<number> {
  for (let at = 0; ; at += 1) {
    expect(at, 'it takes fewer steps than this').toBeLessThan(40);
    const status = await tryAt({ kind, at });
    if (status === right) return at;
    expect(status, `${kind} at step ${at}`).toBe(500);
  }
}

async function newAccount(
  stack: TestStack,
  passwordHash: string,
  details: { verified: boolean; signUp?: string },
) {
  const email = newAddress();
  const account = { email, fullName: 'Test Seller', passwordHash, plan: 'freelance' as const, ...details };
  return (await createAccount(stack.db, account))!.user;
}

/** Every user has profile and settings, and after the reconciler nobody else has. */
async function expectNothingHalfMade(stack: TestStack, kind: Fault['kind']): Promise<void> {
  // Who lives on clears up after itself; for the dead the reconciler does.
  if (kind.startsWith('dies')) await removeIncompleteAccounts(stack.db, new Date());
  const users = (await stack.models.users.distinct('_id')).sort();
  expect((await stack.models.profiles.distinct('_id')).sort()).toEqual(users);
  expect((await stack.models.userSettings.distinct('_id')).sort()).toEqual(users);
}

test.for(faultKinds)(
  'a sign-up that meets "%s" at any step leaves all or nothing, and can be repeated',
  async (kind, { stack, app }) => {
    const steps = await atEveryStep(kind, 202, async (fault) => {
      const form = signUpForm();
      const status = await sendWithFault(app, fault, paths.accounts, form);
      await expectNothingHalfMade(stack, kind);
      if (status === 202) return status;
      // Whoever was told that it failed signs up once more, and gets the mail.
      await stack.models.mails.deleteMany({});
      expect(await post(stack, paths.accounts, form)).toBe(202);
      expect(await stack.models.mails.find({ to: form.email }).lean()).toMatchObject([
        { subject: 'Confirm your email' },
      ]);
      expect(await signIn(stack, form.email, testPassword)).toBe(403);
      return status;
    });
    expect(steps).toBeGreaterThan(8);
    expect(await stack.audit()).toEqual([]);
  },
);

test.for(faultKinds)(
  'a verification that meets "%s" at any step is done, or the link still works',
  async (kind, { stack, app, passwordHash }) => {
    const steps = await atEveryStep(kind, 200, async (fault) => {
      const secret = crypto.randomUUID();
      const signUp = hashSecret(secret);
      const user = await newAccount(stack, passwordHash, { verified: false, signUp });
      const lifeMs = 60_000;
      const token = await issueToken(stack.db, {
        kind: 'verify-email',
        sellerId: user._id,
        browser: signUp,
        lifeMs,
      });
      const headers = { cookie: `packshot-sign-up=${secret}` };
      const status = await sendWithFault(app, fault, paths.verifyEmail, { token }, headers);
      // Who was told that it failed follows the link again, or finds that the password opens the account.
      const again = await post(stack, paths.verifyEmail, { token }, headers);
      expect([200, 400]).toContain(again);
      expect(await signIn(stack, user.email, testPassword)).toBe(200);
      expect(await stack.models.profiles.findById(user._id).lean()).toMatchObject({ email_verified: true });
      expect(await post(stack, paths.verifyEmail, { token }, headers)).toBe(400);
      return status;
    });
    expect(steps).toBeGreaterThan(8);
    expect(await stack.audit()).toEqual([]);
  },
);

test.for(faultKinds)(
  'a reset that meets "%s" at any step leaves one password, and no session of the old one',
  async (kind, { stack, app, passwordHash }) => {
    const steps = await atEveryStep(kind, 204, async (fault) => {
      const user = await newAccount(stack, passwordHash, { verified: true });
      const from = { device: 'Firefox on Windows', address: '203.0.113.7', idle_minutes: 30 };
      const session = await startSession(stack.db, user._id, from);
      const wanted = { kind: 'reset-password' as const, sellerId: user._id, lifeMs: 60_000 };
      const token = await issueToken(stack.db, wanted);
      const body = { token, password: 'Newer-Horse-8' };
      const status = await sendWithFault(app, fault, paths.confirmPasswordReset, body);

      const { password_hash: stored } = (await stack.models.users.findById(user._id).lean())!;
      const wasSet = stored !== passwordHash;
      if (status === 204) expect(wasSet).toBe(true);
      if (wasSet) expect(await stack.models.sessions.exists({ _id: session._id })).toBeNull();
      // A process that lives on gives the link back, unless it never heard that it had taken it.
      const again = await post(stack, paths.confirmPasswordReset, body);
      if (kind === 'refused' && !wasSet) expect(again).toBe(204);
      if (!wasSet && again !== 204) {
        const another = await issueToken(stack.db, wanted);
        expect(await post(stack, paths.confirmPasswordReset, { ...body, token: another })).toBe(204);
      }
      expect(await signIn(stack, user.email, 'Newer-Horse-8')).toBe(200);
      expect(await post(stack, paths.confirmPasswordReset, body)).toBe(400);
      return status;
    });
    expect(steps).toBeGreaterThan(8);
  },
);
