/** Wrong passwords lock out the network that they come from, not the owner of the account. */
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { connectionOf } from '#shared/data/models.ts';
import { protectedSeller, wrongCode } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { createVisitor, forgetAttempts, newAddress, tokenFromMail } from '#tests/support/visitor.ts';
import {
  anotherNetwork,
  expectLocked,
  fail,
  home,
  lockEverybody,
  locked,
  lockMails,
  ownBrowser,
  signIn,
  stranger,
  test,
} from './lock-out-steps.ts';

test('ten wrong passwords lock the network out of the account on every server, whether or not there is one', async ({
  stack,
  another,
  seller,
}) => {
  const unknown = newAddress();
  for (const email of [seller.email, unknown]) {
    await fail(stack, another, email, limits.lockOutFailures);
    await expectLocked(stack, email);
    await expectLocked(stack, ` ${email.toUpperCase()}`, stranger, another.url);
  }
  // Nobody reads from the collections whose addresses were tried, or from where.
  for (const name of ['sign_in_failures', 'sign_in_failures_of_all']) {
    const kept = JSON.stringify(await connectionOf(stack.db).collection(name).find().toArray());
    expect(kept).not.toMatch(/@|203\.0/);
  }
  // Not out of another account.
  const other = await stack.seller({ paid: false });
  expect(await signIn(stack, other.email, { from: stranger })).toMatchObject({ status: 200 });
});

test('its owner stays signed in, signs in elsewhere, and gets one mail', async ({
  stack,
  another,
  seller,
}) => {
  const window = await seller.openWindow();
  let ended = false;
  window.socket.on('disconnect', () => {
    ended = true;
  });
  await fail(stack, another, seller.email, limits.lockOutFailures);
  await expectLocked(stack, seller.email);
  expect((await seller.request(paths.me)).status).toBe(200);
  expect(await signIn(stack, seller.email, { from: home })).toMatchObject({ status: 200 });
  expect(ended).toBe(false);
  window.close();
  expect(await locked(stack, seller)).toBe(false);
  await fail(stack, another, seller.email, limits.lockOutFailures, anotherNetwork());
  expect(await lockMails(stack, seller)).toBe(1);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'wrong passwords' });
  expect(mail.text).toContain(stranger);
});

test('an IPv6 network is the first 64 bits of its addresses', async ({ stack, another, seller }) => {
  const [first, second, neighbour] = ['2001:db8:1:1::1', '2001:db8:1:1:ffff::2', '2001:db8:1:2::1'];
  await fail(stack, another, seller.email, limits.lockOutFailures, first);
  await expectLocked(stack, seller.email, second);
  expect(await signIn(stack, seller.email, { from: neighbour })).toMatchObject({ status: 200 });
});

test('failures that are not in a row do not lock', async ({ stack, another, seller }) => {
  await fail(stack, another, seller.email, limits.lockOutFailures - 1);
  expect(await signIn(stack, seller.email, { from: stranger })).toMatchObject({ status: 200 });
  await fail(stack, another, seller.email, limits.lockOutFailures - 1);
  expect(await signIn(stack, seller.email, { from: stranger })).toMatchObject({ status: 200 });
});

test('all ten at once on two servers lock once', async ({ stack, another, seller }) => {
  await fail(stack, another, seller.email, limits.lockOutFailures - limits.signInAttempts);
  await forgetAttempts(stack.db);
  await Promise.all(
    Array.from({ length: limits.signInAttempts }, (_, index) =>
      createVisitor(index % 2 === 0 ? stack.url : another.url).post(
        paths.session,
        { email: seller.email, password: 'Wrong-Horse-7' },
        { 'x-forwarded-for': stranger },
      ),
    ),
  );
  await expectLocked(stack, seller.email);
  expect(await lockMails(stack, seller)).toBe(1);
  const log = await stack.models.activities.find({ user_id: seller.id, kind: 'locked-out' }).lean();
  expect(log).toHaveLength(1);
});

test('a hundred from many networks lock all devices that are not known; the owner is told, and has three ways in', async ({
  stack,
  another,
  seller,
}) => {
  const browser = await ownBrowser(stack, seller);
  await lockEverybody(stack, another, seller);
  await expectLocked(stack, seller.email, home);
  await expectLocked(stack, seller.email, anotherNetwork());
  expect(await locked(stack, seller)).toBe(true);
  expect((await seller.request(paths.me)).status).toBe(200);
  expect(await lockMails(stack, seller)).toBe(1);
  // A device that is known.
  expect(await signIn(stack, seller.email, {}, browser)).toMatchObject({ status: 200 });
  expect(await locked(stack, seller)).toBe(true);
  // The link in the mail, which makes a new one known whatever is still being tried.
  const phone = createVisitor(stack.url);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  expect((await phone.post(paths.unlock, { token })).status).toBe(204);
  expect(await locked(stack, seller)).toBe(false);
  await lockEverybody(stack, another, seller);
  expect(await signIn(stack, seller.email, {}, phone)).toMatchObject({ status: 200 });
  // A new password.
  const laptop = createVisitor(stack.url);
  await laptop.post(paths.passwordReset, { email: seller.email });
  const reset = await tokenFromMail(stack, seller.email, 'resetPassword');
  const set = { token: reset.token, password: 'Newer-Horse-8' };
  expect((await laptop.post(paths.confirmPasswordReset, set)).status).toBe(204);
  expect(await locked(stack, seller)).toBe(false);
  await lockEverybody(stack, another, seller);
  expect(await signIn(stack, seller.email, { password: 'Newer-Horse-8' }, laptop)).toMatchObject({
    status: 200,
  });
  // Which the other browsers do not know yet.
  expectError(await signIn(stack, seller.email, { password: 'Newer-Horse-8' }, phone), 'ACCOUNT_LOCKED');
});

test('whoever guesses codes has ten guesses over all networks', async ({ stack }) => {
  const { seller: guarded, secret } = await protectedSeller(stack);
  for (let count = 0; count < limits.lockOutFailures; count += 1) {
    const answer = await signIn(stack, guarded.email, { code: wrongCode(secret), from: anotherNetwork() });
    expectError(answer, 'CODE_INVALID');
  }
  expectError(await signIn(stack, guarded.email, { code: wrongCode(secret) }), 'ACCOUNT_LOCKED');
});

test('the link in the mail unlocks, once, also opened in another network than the one that is locked', async ({
  stack,
  another,
  seller,
}) => {
  await fail(stack, another, seller.email, limits.lockOutFailures);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  const unlock = (value: unknown) =>
    createVisitor(another.url).post(paths.unlock, { token: value }, { 'x-forwarded-for': home });
  expectError(await unlock(`${token}x`), 'TOKEN_INVALID');
  const answers = await Promise.all(Array.from({ length: 4 }, () => unlock(token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400]);
  expect(await signIn(stack, seller.email, { from: stranger })).toMatchObject({ status: 200 });
  expectError(await unlock(token), 'TOKEN_INVALID');
});

test('time unlocks: the count starts over, and the link is void', async ({ stack, another, seller }) => {
  await fail(stack, another, seller.email, limits.lockOutFailures);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  const counts = connectionOf(stack.db).collection('sign_in_failures');
  await counts.updateMany({}, { $set: { expire: new Date(Date.now() - 1) } });
  await stack.models.accountTokens.updateMany(
    { user_id: seller.id },
    { expires_at: new Date(Date.now() - 1) },
  );
  await fail(stack, another, seller.email, 1);
  expect(await signIn(stack, seller.email, { from: stranger })).toMatchObject({ status: 200 });
  expectError(await createVisitor(stack.url).post(paths.unlock, { token }), 'TOKEN_INVALID');
});
