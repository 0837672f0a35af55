/** Sign-up, verification and password reset are atomic: a fault at any of their database operations leaves all or nothing. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { buildApp } from '#server/app.ts';
import type { App } from '#server/http/app-type.ts';
import { hashSecret, issueToken } from '#shared/data/accounts/account-tokens.ts';
import { createAccount, removeIncompleteAccounts } from '#shared/data/accounts/create.ts';
import { startSession } from '#shared/data/accounts/sessions.ts';
import { never, workerContext } from '#tests/support/credits.ts';
import { type Fault, faultKinds, withFault } from '#tests/support/faults.ts';
import { eventually } from '#tests/support/harness.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { createVisitor, newAddress, resetSignInLimit, signUpForm } from '#tests/support/visitor.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithCrashableDb({ workers: 0 })
  // The server that the faults are injected into; it does not listen.
  .extend('app', { scope: 'file' }, async ({ stack, crashableDb }, { onCleanup }) => {
    const app = await buildApp({ ...stack.server.context, db: crashableDb });
    onCleanup(() => app.close());
    await app.ready();
    return app;
  })
  .extend('passwordHash', { scope: 'file' }, () => hashPassword(testPassword, 'test'));

/** Sends a request with a fault injected into the server's database operations. @returns the status of the reply */
async function sendWithFault(
  app: App,
  fault: Fault,
  path: string,
  body: object,
  headers = {},
): Promise<number> {
  // Awaited here, because inject() sends the request only then.
  return withFault(fault, async () => {
    const { statusCode } = await app.inject({ method: 'POST', url: path, payload: body, headers });
    return statusCode;
  });
}

/** Sends a request to a server without faults. @returns the status of the reply */
async function post(stack: TestStack, path: string, body: object, headers = {}): Promise<number> {
  return (await createVisitor(stack.url).post(path, body, headers)).status;
}
async function signIn(stack: TestStack, email: string, password: string): Promise<number> {
  await resetSignInLimit(stack.db);
  return post(stack, paths.session, { email, password });
}

/** More than the number of database operations that any of these requests makes. */
const faultPoints = 32;

/**
 * Runs a case for each database operation of a request, concurrently; each has its own account.
 * @param kind of the fault
 * @param attempt sends the request of a case with the fault
 * @param optional how many operations may fail without failing the request
 * @param success status of a request that the fault comes too late for
 * @returns what `attempt` returned, in the order of the operations
 */
async function atOperations<Case extends { status: number }>(
  kind: Fault['kind'],
  success: number,
  attempt: (fault: Fault) => Promise<Case>,
  optional = 0,
): Promise<Case[]> {
  const points = Array.from({ length: faultPoints }, (_, index) => index);
  const cases = await Promise.all(points.map((at) => attempt({ kind, at })));
  const statuses = cases.map(({ status }) => status);
  const operations = statuses.lastIndexOf(500) + 1;
  expect(operations, statuses.join()).toBeGreaterThan(8);
  const failed = statuses.slice(0, operations).filter((status) => status === 500);
  expect(operations - failed.length, statuses.join()).toBeLessThanOrEqual(optional);
  // The fault came too late for the last cases.
  expect(new Set(statuses.slice(operations)), statuses.join()).toEqual(new Set([success]));
  return cases;
}

/** More than the operations that grant free images: if one fails, the session begins all the same. */
const operationsOfGrant = 8;

async function newAccount(
  stack: TestStack,
  passwordHash: string,
  details: { verified: boolean; signUp?: string },
) {
  const email = newAddress();
  const account = { email, fullName: 'Test Seller', passwordHash, plan: 'freelance' as const, ...details };
  return (await createAccount(stack.db, account))!.user;
}

/** Expects a profile and settings for every user, and for nobody else after upkeep ran. */
async function expectNothingHalfMade(stack: TestStack, kind: Fault['kind']): Promise<void> {
  // A process that continues removes what it began; upkeep does it for one that died.
  if (kind.startsWith('dies')) await removeIncompleteAccounts(stack.db, new Date());
  const users = (await stack.models.users.distinct('_id')).sort();
  expect((await stack.models.profiles.distinct('_id')).sort()).toEqual(users);
  expect((await stack.models.userSettings.distinct('_id')).sort()).toEqual(users);
}

test.for(faultKinds)(
  'a sign-up that meets "%s" at any operation leaves all or nothing, and can be repeated',
  async (kind, { stack, app }) => {
    const cases = await atOperations(kind, 202, async (fault) => {
      const form = signUpForm();
      return { form, status: await sendWithFault(app, fault, paths.accounts, form) };
    });
    await expectNothingHalfMade(stack, kind);
    await stack.models.mails.deleteMany({});
    await Promise.all(
      cases
        .filter(({ status }) => status === 500)
        .map(async ({ form }) => {
          expect(await post(stack, paths.accounts, form)).toBe(202);
          expect(await stack.models.mails.find({ to: form.email }).lean()).toMatchObject([
            { subject: 'Confirm your email' },
          ]);
          expect(await signIn(stack, form.email, testPassword)).toBe(403);
        }),
    );
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
);

test.for(faultKinds)(
  'a verification that meets "%s" at any operation is done, or the link still works; it brings free images once',
  async (kind, { stack, app, passwordHash }) => {
    const attempt = async (fault: Fault) => {
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
      // After an error, the seller follows the link again. It works, or the address is verified already.
      const again = await post(stack, paths.verifyEmail, { token }, headers);
      expect([200, 400]).toContain(again);
      expect(await signIn(stack, user.email, testPassword)).toBe(200);
      expect(await stack.models.profiles.findById(user._id).lean()).toMatchObject({ email_verified: true });
      expect(await post(stack, paths.verifyEmail, { token }, headers)).toBe(400);
      return { status };
    };
    await atOperations(kind, 200, attempt, operationsOfGrant);
    await runUpkeep(workerContext(stack), { ...never, settlementMs: 0 });
    const granted = await stack.models.profiles.distinct('free_images.granted', { email_verified: true });
    expect(granted).toEqual([stack.config.freeImages]);
    await expect.poll(() => stack.audit(), eventually).toEqual([]);
  },
);

test.for(faultKinds)(
  'a reset that meets "%s" at any operation leaves one password, and no session of the old one',
  async (kind, { stack, app, passwordHash }) => {
    await atOperations(kind, 204, async (fault) => {
      const user = await newAccount(stack, passwordHash, { verified: true });
      const from = {
        device: 'Firefox on Windows',
        address: '203.0.113.7',
        idle_minutes: 30,
        factors: ['password' as const],
      };
      const session = await startSession(stack.db, user._id, from);
      const wanted = { kind: 'reset-password' as const, sellerId: user._id, lifeMs: 60_000 };
      const token = await issueToken(stack.db, wanted);
      const body = { token, password: 'Newer-Horse-8' };
      const status = await sendWithFault(app, fault, paths.confirmPasswordReset, body);

      const { password_hash: stored } = (await stack.models.users.findById(user._id).lean())!;
      const wasSet = stored !== passwordHash;
      if (status === 204) expect(wasSet).toBe(true);
      if (wasSet) expect(await stack.models.sessions.exists({ _id: session._id })).toBeNull();
      // A process that continues makes the link usable again, unless it does not know that it had used it.
      const again = await post(stack, paths.confirmPasswordReset, body);
      if (kind === 'refused' && !wasSet) expect(again).toBe(204);
      if (!wasSet && again !== 204) {
        const another = await issueToken(stack.db, wanted);
        expect(await post(stack, paths.confirmPasswordReset, { ...body, token: another })).toBe(204);
      }
      expect(await signIn(stack, user.email, 'Newer-Horse-8')).toBe(200);
      expect(await post(stack, paths.confirmPasswordReset, body)).toBe(400);
      return { status };
    });
  },
);
