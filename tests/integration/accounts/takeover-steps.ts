/** Steps of the takeover tests: a thief has learned the password of an account and changes its address. */
import { expect } from 'vitest';
import { paths } from '#contract';
import { anotherSession, call, post, signIn } from '#tests/support/account.ts';
import { type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { newAddress, resetSignInLimit, tokenFromMail } from '#tests/support/visitor.ts';

/** An account that its owner and a thief are signed in to. */
export interface Takeover {
  owner: Seller;
  /** A second session of the owner's account. */
  thief: Seller;
  thiefAddress: string;
}

export async function newTakeover(stack: TestStack): Promise<Takeover> {
  const owner = await stack.seller({ paid: false });
  const thief = await anotherSession(stack.url, owner);
  await resetSignInLimit(stack.db);
  return { owner, thief, thiefAddress: newAddress() };
}

/** `test` with a new takeover for each test that uses it. */
export const test = testWithStack().extend('takeover', ({ stack }) => newTakeover(stack));

/** The thief requests a change to their address. @returns the token in the mail that they get */
export async function requestChange(stack: TestStack, { thief, thiefAddress }: Takeover): Promise<string> {
  const answer = await call(thief, 'POST', paths.email, { email: thiefAddress, password: testPassword });
  expect(answer.status).toBe(202);
  return (await tokenFromMail(stack, thiefAddress, 'confirmEmail')).token;
}

/** The thief uses the link, without a password and with the one that they know. Either may fail. */
export async function tryToConfirm(stack: TestStack, token: string): Promise<void> {
  await post(stack.url, paths.confirmEmail, { token });
  await post(stack.url, paths.confirmEmail, { token, password: testPassword });
}

export async function expectOwnerHasAccount(
  stack: TestStack,
  { owner }: Takeover,
  password: string,
): Promise<void> {
  await resetSignInLimit(stack.db);
  expect((await stack.models.users.findById(owner.id).lean())?.email).toBe(owner.email);
  expect((await signIn(stack.url, { email: owner.email, password })).status).toBe(200);
}
export const ownerPassword = 'Newer-Horse-8';
export const days = (count: number) => count * 86_400_000;

/** The token of the newest undo link in the mails to an address. @param subject part of the mail's subject */
export const undoToken = async (stack: TestStack, to: string, subject?: string, after?: number) =>
  (await tokenFromMail(stack, to, 'undoEmail', after, subject)).token;
export const undoChange = (stack: TestStack, token: string, password = ownerPassword) =>
  post(stack.url, paths.undoEmail, { token, password });
export const confirmChange = (stack: TestStack, token: string, password = testPassword, code?: string) =>
  post(stack.url, paths.confirmEmail, { token, password, code });

/** The thief requests and confirms a change to their address. */
export async function completeChange(stack: TestStack, takeover: Takeover): Promise<void> {
  expect((await confirmChange(stack, await requestChange(stack, takeover))).status).toBe(204);
  const { owner, thiefAddress } = takeover;
  expect((await stack.models.users.findById(owner.id).lean())?.email).toBe(thiefAddress);
}

/** The thief changes the account to yet another address. @returns the address */
export async function changeAgain(stack: TestStack, thief: Seller, password = testPassword): Promise<string> {
  const next = newAddress();
  const answer = await call(thief, 'POST', paths.email, { email: next, password });
  expect(answer.status).toBe(202);
  const { token } = await tokenFromMail(stack, next, 'confirmEmail');
  expect((await confirmChange(stack, token, password)).status).toBe(204);
  return next;
}
