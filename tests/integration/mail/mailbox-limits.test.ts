/** Each limit of the mails that anybody can have sent to a mailbox counts all spellings of its address together. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { createAccount } from '#shared/data/accounts/create.ts';
import { normalisedAddress } from '#shared/mail/normalised-address.ts';
import { call } from '#tests/support/account.ts';
import { pdf } from '#tests/support/cv-files.ts';
import { multipart } from '#tests/support/multipart.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, resetSignInLimit, signUpForm } from '#tests/support/visitor.ts';

// The test acts as a proxy: its X-Forwarded-For header says which network a request comes from.
const test = testWithStack({ workers: 0, settings: { TRUSTED_PROXIES: '1' } });

const newName = () => `shop${randomUUID().replaceAll('-', '').slice(0, 12)}`;

/** An address of a mailbox at Gmail: with a dot, a tag, or the other domain. */
const spelling = (name: string, number: number) =>
  `${name.slice(0, 1 + (number % 5))}.${name.slice(1 + (number % 5))}+${number}@${number % 2 ? 'gmail' : 'googlemail'}.com`;

const countMails = async (stack: TestStack, name: string) => {
  const mails = await stack.models.mails.find().lean();
  return mails.filter(({ to }) => normalisedAddress(to) === `${name}@gmail.com`).length;
};

const account = (stack: TestStack, email: string, verified: boolean) =>
  createAccount(stack.db, {
    email,
    verified,
    fullName: 'Test Seller',
    passwordHash: 'none',
    plan: 'freelance',
  });
const postJson = (stack: TestStack, path: string, body: object, from: string) =>
  createVisitor(stack.url).post(path, body, { 'x-forwarded-for': from });

/** A way in which anybody has a mail sent to an address, and how many of its mails a mailbox gets from one network. */
type Way = [
  name: string,
  most: number,
  ask: (stack: TestStack, email: string, from: string) => Promise<{ status: number }>,
];

const ways: Way[] = [
  [
    'signing up',
    limits.mailsAsked,
    (stack, email, from) => postJson(stack, paths.accounts, signUpForm({ email }), from),
  ],
  [
    'asking for another verification link',
    limits.mailsAsked,
    async (stack, email, from) => {
      await account(stack, email, false);
      return postJson(stack, paths.verification, { email }, from);
    },
  ],
  [
    'asking for a link for a new password',
    limits.mailsAsked,
    async (stack, email, from) => {
      await account(stack, email, true);
      return postJson(stack, paths.passwordReset, { email }, from);
    },
  ],
  [
    'moving an account to the address',
    limits.mailsAsked,
    async (stack, email, from) => {
      // Each account has a limit of its own, so each request comes from another one.
      const seller = await stack.seller({ paid: false });
      const request = (path: string, init: RequestInit = {}) => {
        const headers = new Headers(init.headers);
        headers.set('x-forwarded-for', from);
        return seller.request(path, { ...init, headers });
      };
      const body = { email, password: seller.password };
      return call({ request: request as typeof seller.request }, 'POST', paths.email, body);
    },
  ],
  [
    'writing to us',
    limits.confirmationsAnHour,
    (stack, email, from) =>
      postJson(stack, paths.contact, { name: 'Ada', email, subject: 'support', message: 'Hello' }, from),
  ],
  [
    'applying for a position',
    limits.confirmationsAnHour,
    (stack, email, from) => {
      const form = multipart([
        ...Object.entries({ position: 'product-designer', name: 'Ada', email, message: 'Hello' }).map(
          ([name, value]) => ({ name, value }),
        ),
        { name: 'cv', fileName: 'cv.pdf', type: 'application/pdf', value: pdf() },
      ]);
      const headers = { ...form.headers, 'x-forwarded-for': from };
      return createVisitor(stack.url).request(paths.applications, { method: 'POST', ...form, headers });
    },
  ],
];

test.for(ways)(
  '%s under many spellings of an address sends its mailbox no more mails than under one',
  async ([, most, ask], { stack }) => {
    const name = newName();
    for (let number = 0; number < most + 3; number += 1) {
      expect((await ask(stack, spelling(name, number), '203.0.113.7')).status).toBe(202);
    }
    expect(await countMails(stack, name)).toBe(most);
  },
);

test('a mailbox gets no mail about wrong passwords for addresses that nobody has confirmed', async ({
  stack,
}) => {
  const name = newName();
  for (let number = 0; number < 2; number += 1) {
    const email = spelling(name, number);
    await postJson(stack, paths.accounts, signUpForm({ email }), '203.0.113.7');
    for (let failures = 0; failures < limits.lockOutFailures; failures += 1) {
      await resetSignInLimit(stack.db);
      const answer = await postJson(
        stack,
        paths.session,
        { email, password: 'Wrong-Horse-7' },
        '203.0.113.7',
      );
      expect(answer.status).toBe(401);
    }
  }
  const mails = await stack.models.mails.find({ kind: 'accountLocked' }).lean();
  expect(mails.filter(({ to }) => normalisedAddress(to) === `${name}@gmail.com`)).toEqual([]);
});
