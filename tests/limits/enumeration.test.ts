/** Replies do not reveal whether an address has an account: not by text, headers or time. */

import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { limitMs } from '#tests/support/machine.ts';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import { testWithServerProcess } from '#tests/support/test.ts';
import {
  createVisitor,
  median,
  newAddress,
  resetMailLimit,
  resetSignInLimit,
  signUpForm,
} from '#tests/support/visitor.ts';

const test = testWithServerProcess()
  .extend('sellers', { scope: 'file' }, ({ stack }) =>
    Promise.all(Array.from({ length: 5 }, () => stack.seller())),
  )
  .extend('unverified', { scope: 'file' }, async ({ url }) => {
    const addresses = Array.from({ length: 5 }, newAddress);
    for (const email of addresses) await post(url, paths.accounts, signUpForm({ email }));
    return addresses;
  });

const post = (url: string, path: string, body: unknown) => createVisitor(url).post(path, body);

/** Addresses by kind of owner; each is used too rarely to reach a limit. */
const addressesOf = (sellers: Seller[], unverified: string[]): Record<string, (index: number) => string> => ({
  free: newAddress,
  taken: (index) => sellers[index % 5]!.email,
  unverified: (index) => unverified[index % 5]!,
});

/** Requests that contain an address. */
const requests: Record<string, (url: string, email: string) => Promise<Answer<unknown>>> = {
  'sign-up': (url, email) => post(url, paths.accounts, signUpForm({ email })),
  'the verification mail': (url, email) => post(url, paths.verification, { email }),
  'a new password': (url, email) => post(url, paths.passwordReset, { email }),
  'a sign-in with a wrong password': (url, email) =>
    post(url, paths.session, { email, password: 'Wrong-Horse-7' }),
};

/** Each of the five addresses of a kind is used once, which is below every limit. */
const rounds = 5;

/** A reply without its random parts and the time of day. */
function comparable({ status, headers, body }: Answer<unknown>): unknown {
  const lines = [...headers].map(([name, value]) => {
    if (name === 'date' || name === 'x-request-id') return [name];
    return [name, value.replace(/packshot-sign-up=[\w-]{43};/, 'packshot-sign-up=…;')];
  });
  return { status, lines, body: JSON.stringify(body).replace(/"requestId":"\w{32}"/, '"requestId":"…"') };
}

test.for(Object.entries(requests))(
  '%s gets the same reply in the same time for every address',
  async ([, send], { stack, url, sellers, unverified }) => {
    await resetSignInLimit(stack.db);
    await resetMailLimit(stack.db);
    const times: Record<string, number[]> = {};
    const seen = new Set<string>();
    // Alternating, so that other load on the machine affects all kinds equally.
    for (let index = 0; index < rounds; index += 1) {
      for (const [owner, address] of Object.entries(addressesOf(sellers, unverified))) {
        const startedAt = performance.now();
        const answer = await send(url, address(index));
        times[owner] = [...(times[owner] ?? []), performance.now() - startedAt];
        seen.add(JSON.stringify(comparable(answer)));
      }
    }
    expect([...seen]).toHaveLength(1);
    // The fastest ones: on a busy machine some are late, but none is early.
    const fastest = Object.values(times).map((values) => Math.min(...values));
    const figures = Object.entries(times).map(
      ([owner, values]) => `${owner} ${median(values).toFixed(1)} ms`,
    );
    console.log(figures.join(', '));
    expect(Math.max(...fastest) - Math.min(...fastest), figures.join(', ')).toBeLessThan(limitMs(15));
    // All are padded, not just equally fast by chance.
    expect(Math.min(...fastest), figures.join(', ')).toBeGreaterThan(240);
  },
);

test('mails over the limit are not sent, and the replies do not show it', async ({ stack, url, sellers }) => {
  const { email } = sellers[0]!;
  await stack.models.mails.deleteMany({});
  await resetMailLimit(stack.db);
  const seen = new Set<string>();
  for (let count = 0; count < limits.mailsAsked + 3; count += 1) {
    seen.add(JSON.stringify(comparable(await post(url, paths.passwordReset, { email }))));
  }
  expect([...seen]).toHaveLength(1);
  expect(await stack.models.mails.countDocuments({ to: email })).toBe(limits.mailsAsked);
  // The last link that was sent still works: the requests without a mail did not replace it.
  expect(await stack.models.accountTokens.countDocuments({ user_id: sellers[0]!.id })).toBe(1);
});

test('a sign-up over the mail limit does not change the account', async ({ stack, url }) => {
  const email = newAddress();
  for (let count = 0; count < limits.mailsAsked; count += 1) {
    await post(url, paths.accounts, signUpForm({ email, password: testPassword }));
  }
  const before = await stack.models.users.findOne({ email }).lean();
  expect((await post(url, paths.accounts, signUpForm({ email, password: 'Other-Horse-9' }))).status).toBe(
    202,
  );
  expect(await stack.models.users.findOne({ email }).lean()).toEqual(before);
});
