/** The cookies of a browser under https: each belongs to this host only. */
import { expect } from 'vitest';
import { paths, signedInCookie } from '#contract';
import { cookieNames } from '#server/http/cookies.ts';
import { expectError } from '#tests/support/errors.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, signUpForm, tokenFromMail } from '#tests/support/visitor.ts';

const test = testWithStack().extend('secure', { scope: 'file' }, ({ stack }) =>
  stack.startServer({ PUBLIC_URL: 'https://shop.example' }),
);

test('every cookie is bound to the host, except the one that scripts read and that permits nothing', async ({
  stack,
  secure,
}) => {
  const visitor = createVisitor(secure.url);
  const form = signUpForm();
  const signedUp = await visitor.post(paths.accounts, form);
  const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
  const verified = await visitor.post(paths.verifyEmail, { token });
  expect([signedUp.status, verified.status]).toEqual([202, 200]);
  const signedOut = await visitor.request(paths.session, { method: 'DELETE' });
  const set = [signedUp, verified, signedOut].flatMap(({ headers }) => headers.getSetCookie());
  const names = new Set(set.map((cookie) => cookie.slice(0, cookie.indexOf('='))));
  expect([...names].sort()).toEqual([...cookieNames.map((name) => `__Host-${name}`), signedInCookie].sort());
  // What browsers ask of `__Host-`; the other one has it as well.
  for (const cookie of set) expect(cookie).toMatch(/^(?!.*Domain=).*; Path=\/;.*Secure/);
});

test('the cookie of a sign-up counts only under its own name: another subdomain cannot set that', async ({
  stack,
  secure,
}) => {
  const form = signUpForm();
  const signedUp = await createVisitor(secure.url).post(paths.accounts, form);
  const [, secret] = /^__Host-packshot-sign-up=([\w-]+);/.exec(signedUp.headers.getSetCookie()[0]!)!;
  const { token } = await tokenFromMail(stack, form.email, 'verifyEmail');
  const verify = (cookie: string) => createVisitor(secure.url).post(paths.verifyEmail, { token }, { cookie });
  expectError(await verify(`packshot-sign-up=${secret}`), 'PASSWORD_REQUIRED');
  expect(await verify(`__Host-packshot-sign-up=${secret}`)).toMatchObject({ status: 200 });
});
