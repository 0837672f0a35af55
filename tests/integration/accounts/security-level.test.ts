/** How well an account is protected, as its owner reads it. */
import { expect } from 'vitest';
import { type Protection, paths } from '#contract';
import { markUnreachable } from '#shared/data/profiles/unreachable.ts';
import { call, codeOf, turnOnTwoFactor } from '#tests/support/account.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack();

const protectionOf = async (seller: Seller) => (await call<Protection>(seller, 'GET', paths.protection)).body;
const stateOf = async (seller: Seller, name: string) =>
  (await protectionOf(seller)).steps.find((step) => step.name === name)?.state;

test('a second factor raises the level, which is stored with it; removing it lowers both', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const levels = async () => {
    const profile = await stack.models.profiles.findById(seller.id).lean();
    return [profile?.security_level, (await protectionOf(seller)).level];
  };
  expect(await levels()).toEqual(['standard', 'standard']);
  expect(await protectionOf(seller)).toMatchObject({
    steps: expect.arrayContaining([{ name: 'second-factor', state: 'raises' }]),
    app: false,
    passkeys: 0,
    recoveryCodes: 0,
  });

  const { secret } = await turnOnTwoFactor(seller);
  expect(await levels()).toEqual(['high', 'high']);
  expect(await protectionOf(seller)).toMatchObject({
    steps: expect.arrayContaining([
      { name: 'second-factor', state: 'done' },
      { name: 'recovery-codes', state: 'done' },
    ]),
    app: true,
    passkeys: 0,
    recoveryCodes: 10,
  });
  await stack.models.users.updateOne({ _id: seller.id }, { 'two_factor.recovery_codes': ['last'] });
  expect(await stateOf(seller, 'recovery-codes')).toBe('advised');

  const off = { password: testPassword, code: codeOf(secret, 1) };
  expect((await call(seller, 'DELETE', paths.twoFactor, off)).status).toBe(204);
  expect(await levels()).toEqual(['standard', 'standard']);
  expect(await stateOf(seller, 'recovery-codes')).toBeUndefined();
});

test('the level is the stored one', async ({ stack }) => {
  const seller = await stack.seller();
  await stack.models.profiles.updateOne({ _id: seller.id }, { security_level: 'high' });
  expect(await protectionOf(seller)).toMatchObject({ level: 'high' });
});

test('mail that comes back, security emails that are off and an old password are told, at the same level', async ({
  stack,
}) => {
  const seller = await stack.seller();
  const open = async () =>
    (await protectionOf(seller)).steps.filter(({ state }) => state === 'advised').map(({ name }) => name);
  expect(await open()).toEqual([]);
  await markUnreachable(stack.db, seller.email, { kind: 'bounce', reason: 'No such mailbox' });
  expect(await open()).toEqual(['reachable-address']);
  await call(seller, 'PATCH', paths.settings, { securityNotifications: false, password: testPassword });
  const longAgo = new Date(Date.now() - 366 * 86_400_000);
  await stack.models.users.updateOne({ _id: seller.id }, { password_changed_at: longAgo });
  expect(await open()).toEqual(['reachable-address', 'security-emails', 'recent-password']);
  expect((await protectionOf(seller)).level).toBe('standard');
});

test('without a session it is refused', async ({ stack }) => {
  expect((await fetch(stack.url + paths.protection)).status).toBe(401);
});
