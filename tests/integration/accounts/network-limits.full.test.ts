/** Limits per network at their full size: a flood of sign-ups, and an office whose people sign in. */

import { expect } from 'vitest';
import { paths } from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { expectError } from '#tests/support/errors.ts';
import { signUpForm } from '#tests/support/visitor.ts';
import { expectLimited, newSource, sendJson, test } from './network-limits-steps.ts';

test('a flood of sign-ups creates no more accounts and mails than the limit allows, and other networks can still sign up', async ({
  stack,
}) => {
  const [flood, other] = [newSource(), newSource()];
  const { requests, seconds } = requestLimits.network['sign-up'];
  const usersBefore = await stack.models.users.countDocuments();
  const mails = () => stack.models.mails.countDocuments({ subject: 'Confirm your email' });
  const mailsBefore = await mails();
  const answers = await Promise.all(
    Array.from({ length: requests + 30 }, () =>
      sendJson(stack.url, paths.accounts, signUpForm(), { from: flood }),
    ),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(requests);
  for (const answer of answers.filter(({ status }) => status !== 202)) expectLimited(answer, seconds);
  expect(await stack.models.users.countDocuments()).toBe(usersBefore + requests);
  expect(await mails()).toBe(mailsBefore + requests);
  const form = signUpForm();
  expect((await sendJson(stack.url, paths.accounts, form, { from: other })).status).toBe(202);
  // The network can still sign in.
  const unverified = await sendJson(
    stack.url,
    paths.session,
    { email: form.email, password: form.password },
    { from: flood },
  );
  expectError(unverified, 'EMAIL_UNVERIFIED');
});

test('thirty people in one office can sign in within a minute, each after two wrong passwords', async ({
  stack,
  seller,
}) => {
  const office = newSource();
  const people = await Promise.all(Array.from({ length: 30 }, () => stack.seller({ paid: false })));
  for (const password of ['Wrong-Horse-1', 'Wrong-Horse-2', seller.password]) {
    const answers = await Promise.all(
      people.map(({ email }) => sendJson(stack.url, paths.session, { email, password }, { from: office })),
    );
    const expected = password === seller.password ? 200 : 401;
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => expected));
  }
});
