/** Steps of the tests of takeovers: somebody else has learned the password of an account and asks to move its address. */
import { expect } from 'vitest';
import { pages, paths } from '#contract';
import { anotherSession, call, post, signIn } from '#tests/support/account.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { forgetAttempts, newAddress } from '#tests/support/visitor.ts';

/** An account that two people can sign in to. */
export interface Takeover {
  owner: Seller;
  /** Another session of the owner's account. */
  thief: Seller;
  thiefsAddress: string;
}

export async function newTakeover(stack: TestStack): Promise<Takeover> {
  const owner = await stack.seller({ paid: false });
  const thief = await anotherSession(stack.url, owner);
  await forgetAttempts(stack.db);
  return { owner, thief, thiefsAddress: newAddress() };
}

/** `test` with a new takeover for each test that uses it. */
export const test = testWithStack().extend('takeover', ({ stack }) => newTakeover(stack));

/** The thief asks to move the account. @returns the token of the mail that they get */
export async function askToMove(
  stack: TestStack,
  { thief, thiefsAddress }: Takeover,
  password = testPassword,
): Promise<string> {
  const asked = await call(thief, 'POST', paths.email, { email: thiefsAddress, password });
  expect(asked.status).toBe(202);
  const mail = await stack.mails.waitForMail({ to: thiefsAddress });
  return new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;
}

/** The thief opens the link, with every password that they may have. */
export async function openLink(stack: TestStack, token: string): Promise<void> {
  await post(stack.url, paths.confirmEmail, { token });
  await post(stack.url, paths.confirmEmail, { token, password: testPassword });
}

export async function expectOwnersWith(
  stack: TestStack,
  { owner }: Takeover,
  password: string,
): Promise<void> {
  await forgetAttempts(stack.db);
  expect((await stack.models.users.findById(owner.id).lean())?.email).toBe(owner.email);
  expect((await signIn(stack.url, { email: owner.email, password })).status).toBe(200);
}
export const ownersPassword = 'Newer-Horse-8';
export const days = (count: number) => count * 86_400_000;

/** The newest link of "This wasn't me" that an address has got. @param subject part of the mail's */
export async function undoToken(
  stack: TestStack,
  to: string,
  subject = 'address was changed',
  after?: number,
): Promise<string> {
  const mail = await stack.mails.waitForMail({ to, subject, after });
  return new URL(stack.mails.linkIn(mail, pages.undoEmail)).searchParams.get('token')!;
}
export const undo = (stack: TestStack, token: string, password = ownersPassword) =>
  post(stack.url, paths.undoEmail, { token, password });
export const confirm = (stack: TestStack, token: string, password = testPassword, code?: string) =>
  post(stack.url, paths.confirmEmail, { token, password, code });

/** The thief has the account: it is at their address. */
export async function moved(stack: TestStack, takeover: Takeover): Promise<void> {
  expect((await confirm(stack, await askToMove(stack, takeover))).status).toBe(204);
  const { owner, thiefsAddress } = takeover;
  expect((await stack.models.users.findById(owner.id).lean())?.email).toBe(thiefsAddress);
}

/** Moves the account on, to yet another address of the thief's. */
export async function moveOn(
  stack: TestStack,
  thief: Seller,
  password = testPassword,
  code?: string,
): Promise<string> {
  const next = newAddress();
  const asked = await call(thief, 'POST', paths.email, { email: next, password, code });
  expect(asked.status).toBe(202);
  const mail = await stack.mails.waitForMail({ to: next });
  const link = new URL(stack.mails.linkIn(mail, pages.confirmEmail)).searchParams.get('token')!;
  expect((await confirm(stack, link, password)).status).toBe(204);
  return next;
}
