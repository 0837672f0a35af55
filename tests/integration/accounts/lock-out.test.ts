/** Wrong passwords lock out the network that they come from, not the owner of the account. */

import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { twoFactorSeller, wrongCode } from '#tests/support/account.ts';
import { expectError } from '#tests/support/errors.ts';
import { createVisitor, newAddress, resetSignInLimit, tokenFromMail } from '#tests/support/visitor.ts';
import {
  attackerNetwork,
  countLockMails,
  expectLocked,
  failEachSignIn,
  failSignIns,
  isLocked,
  knownBrowser,
  lockOutUnknownDevices,
  newNetwork,
  ownerNetwork,
  signIn,
  test,
} from './lock-out-steps.ts';

test('ten wrong passwords lock a network out of an address on every server, whether or not it has an account', async ({
  stack,
  otherServer,
  seller,
}) => {
  const unknown = newAddress();
  for (const email of [seller.email, unknown]) {
    await failEachSignIn(stack, otherServer, email, limits.lockOutFailures);
    await expectLocked(stack, email);
    await expectLocked(stack, ` ${email.toUpperCase()}`, attackerNetwork, otherServer.url);
  }
  // The collections do not reveal which addresses were tried, or from where.
  for (const name of ['sign_in_failures', 'sign_in_failures_of_all']) {
    const kept = JSON.stringify(await connectionOf(stack.db).collection(name).find().toArray());
    expect(kept).not.toMatch(/@|203\.0/);
  }
  // Other accounts are not affected.
  const other = await stack.seller({ paid: false });
  expect(await signIn(stack, other.email, { from: attackerNetwork })).toMatchObject({ status: 200 });
});

test('the owner stays signed in, can sign in from another network, and gets one mail', async ({
  stack,
  otherServer,
  seller,
}) => {
  const window = await seller.openWindow();
  let ended = false;
  window.socket.on('disconnect', () => {
    ended = true;
  });
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures);
  await expectLocked(stack, seller.email);
  expect((await seller.request(paths.me)).status).toBe(200);
  expect(await signIn(stack, seller.email, { from: ownerNetwork })).toMatchObject({ status: 200 });
  expect(ended).toBe(false);
  window.close();
  expect(await isLocked(stack, seller)).toBe(false);
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures, newNetwork());
  expect(await countLockMails(stack, seller)).toBe(1);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'wrong passwords' });
  expect(mail.text).toContain(attackerNetwork);
});

test('the network of an IPv6 address is its first 64 bits', async ({ stack, otherServer, seller }) => {
  const [first, second, neighbour] = ['2001:db8:1:1::1', '2001:db8:1:1:ffff::2', '2001:db8:1:2::1'];
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures, first);
  await expectLocked(stack, seller.email, second);
  expect(await signIn(stack, seller.email, { from: neighbour })).toMatchObject({ status: 200 });
});

test('a wider network is locked out after more failures, spread over its networks, and before it locks out everybody', async ({
  stack,
  seller,
}) => {
  const fail = async (from: string, expected: 'BAD_CREDENTIALS' | 'ACCOUNT_LOCKED') =>
    expectError(await signIn(stack, seller.email, { password: 'Wrong-Horse-7', from }), expected);
  const { lockOutFailures, lockOutFailuresOfAll } = limits;
  const { widerNetworks } = requestLimits;
  expect(lockOutFailures * widerNetworks[48]).toBeLessThan(lockOutFailuresOfAll);
  // Each from another 64 bits: first of one /56, then of the /48.
  let network = 0;
  const next = (site: number) => `2001:db8:77:${(site * 256 + (network++ % 256)).toString(16)}::1`;
  for (let count = 0; count < lockOutFailures * widerNetworks[56]; count += 1) {
    await fail(next(1), 'BAD_CREDENTIALS');
  }
  await fail(next(1), 'ACCOUNT_LOCKED');
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'wrong passwords' });
  expect(mail.text).toContain('2001:db8:77:100::/56');
  const left = lockOutFailures * (widerNetworks[48] - widerNetworks[56]);
  for (let count = 0; count < left; count += 1) await fail(next(2 + count), 'BAD_CREDENTIALS');
  await fail(next(200), 'ACCOUNT_LOCKED');
  // Another customer of the same provider is not affected, nor are all unknown devices.
  expect(await signIn(stack, seller.email, { from: '2001:db8:78:1::1' })).toMatchObject({ status: 200 });
  expect(await isLocked(stack, seller)).toBe(false);
});

test('a successful sign-in resets the count of failures', async ({ stack, otherServer, seller }) => {
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures - 1);
  expect(await signIn(stack, seller.email, { from: attackerNetwork })).toMatchObject({ status: 200 });
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures - 1);
  expect(await signIn(stack, seller.email, { from: attackerNetwork })).toMatchObject({ status: 200 });
});

test('concurrent failures on two servers lock once', async ({ stack, otherServer, seller }) => {
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures - limits.signInAttempts);
  await resetSignInLimit(stack.db);
  await Promise.all(
    Array.from({ length: limits.signInAttempts }, (_, index) =>
      createVisitor(index % 2 === 0 ? stack.url : otherServer.url).post(
        paths.session,
        { email: seller.email, password: 'Wrong-Horse-7' },
        { 'x-forwarded-for': attackerNetwork },
      ),
    ),
  );
  await expectLocked(stack, seller.email);
  expect(await countLockMails(stack, seller)).toBe(1);
  const log = await stack.models.activities.find({ user_id: seller.id, kind: 'locked-out' }).lean();
  expect(log).toHaveLength(1);
});

test('a hundred failures from many networks lock out all unknown devices; the owner gets a mail and has three ways to sign in', async ({
  stack,
  otherServer,
  seller,
}) => {
  const browser = await knownBrowser(stack, seller);
  await lockOutUnknownDevices(stack, otherServer, seller);
  await expectLocked(stack, seller.email, ownerNetwork);
  await expectLocked(stack, seller.email, newNetwork());
  expect(await isLocked(stack, seller)).toBe(true);
  expect((await seller.request(paths.me)).status).toBe(200);
  expect(await countLockMails(stack, seller)).toBe(1);
  // On a known device.
  expect(await signIn(stack, seller.email, {}, browser)).toMatchObject({ status: 200 });
  expect(await isLocked(stack, seller)).toBe(true);
  // With the link in the mail, which makes a new device known, so that further guesses do not lock it out.
  const phone = createVisitor(stack.url);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  expect((await phone.post(paths.unlock, { token })).status).toBe(204);
  expect(await signIn(stack, seller.email, {}, phone)).toMatchObject({ status: 200 });
  // Whoever guesses gets no further attempts by it.
  expect(await isLocked(stack, seller)).toBe(true);
  await expectLocked(stack, seller.email, newNetwork());
  // With a new password.
  const laptop = createVisitor(stack.url);
  await laptop.post(paths.passwordReset, { email: seller.email });
  const reset = await tokenFromMail(stack, seller.email, 'resetPassword');
  const set = { token: reset.token, password: 'Newer-Horse-8' };
  expect((await laptop.post(paths.confirmPasswordReset, set)).status).toBe(204);
  expect(await isLocked(stack, seller)).toBe(false);
  await lockOutUnknownDevices(stack, otherServer, seller);
  expect(await signIn(stack, seller.email, { password: 'Newer-Horse-8' }, laptop)).toMatchObject({
    status: 200,
  });
  // It removed the other known devices.
  expectError(await signIn(stack, seller.email, { password: 'Newer-Horse-8' }, phone), 'ACCOUNT_LOCKED');
});

test('ten wrong two-factor codes from different networks lock out every unknown device', async ({
  stack,
}) => {
  const { seller, secret } = await twoFactorSeller(stack);
  for (let count = 0; count < limits.lockOutFailures; count += 1) {
    const answer = await signIn(stack, seller.email, { code: wrongCode(secret), from: newNetwork() });
    expectError(answer, 'CODE_INVALID');
  }
  expectError(await signIn(stack, seller.email, { code: wrongCode(secret) }), 'ACCOUNT_LOCKED');
});

test('the link in the mail works once, for the browser and the network in which it is used: whoever guesses gets no further attempts', async ({
  stack,
  otherServer,
  seller,
}) => {
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures);
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures, ownerNetwork);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  const browser = createVisitor(otherServer.url);
  const unlock = (value: unknown, visitor = createVisitor(otherServer.url)) =>
    visitor.post(paths.unlock, { token: value }, { 'x-forwarded-for': ownerNetwork });
  expectError(await unlock(`${token}x`), 'TOKEN_INVALID');
  const answers = await Promise.all(Array.from({ length: 4 }, () => unlock(token, browser)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400]);
  expectError(await unlock(token), 'TOKEN_INVALID');
  await expectLocked(stack, seller.email, attackerNetwork);
  expect(await signIn(stack, seller.email, { from: ownerNetwork })).toMatchObject({ status: 200 });
  // The browser is known from now on, wherever it is.
  expect(await signIn(stack, seller.email, { from: attackerNetwork }, browser)).toMatchObject({
    status: 200,
  });
});

test('the link in a mail about a known browser unlocks that browser, also if it is used elsewhere', async ({
  stack,
  seller,
}) => {
  const browser = await knownBrowser(stack, seller);
  for (let count = 0; count < limits.lockOutFailures; count += 1) {
    await signIn(stack, seller.email, { password: 'Wrong-Horse-7' }, browser);
  }
  expectError(await signIn(stack, seller.email, {}, browser), 'ACCOUNT_LOCKED');
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  const headers = { 'x-forwarded-for': newNetwork() };
  expect((await createVisitor(stack.url).post(paths.unlock, { token }, headers)).status).toBe(204);
  expect(await signIn(stack, seller.email, {}, browser)).toMatchObject({ status: 200 });
});

test('a lock expires, its link with it, and the count starts at zero again', async ({
  stack,
  otherServer,
  seller,
}) => {
  await failSignIns(stack, otherServer, seller.email, limits.lockOutFailures);
  const { token } = await tokenFromMail(stack, seller.email, 'unlock');
  const counts = connectionOf(stack.db).collection('sign_in_failures');
  await counts.updateMany({}, { $set: { expire: new Date(Date.now() - 1) } });
  await stack.models.accountTokens.updateMany(
    { user_id: seller.id },
    { expires_at: new Date(Date.now() - 1) },
  );
  await failEachSignIn(stack, otherServer, seller.email, 1);
  expect(await signIn(stack, seller.email, { from: attackerNetwork })).toMatchObject({ status: 200 });
  expectError(await createVisitor(stack.url).post(paths.unlock, { token }), 'TOKEN_INVALID');
});
