/** Replies do not reveal whether an address has an account: not by text, headers or time. */

import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { type Answer, type Seller, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import {
  createVisitor,
  forgetAttempts,
  forgetMailsAsked,
  median,
  newAddress,
  signUpForm,
} from '#tests/support/visitor.ts';

const test = testWithStack({ workers: 0 })
  .extend('sellers', { scope: 'file' }, ({ stack }) =>
    Promise.all(Array.from({ length: 5 }, () => stack.seller())),
  )
  .extend('unverified', { scope: 'file' }, async ({ stack }) => {
    const addresses = Array.from({ length: 5 }, newAddress);
    for (const email of addresses) await post(stack, paths.accounts, signUpForm({ email }));
    return addresses;
  });

const post = (stack: TestStack, path: string, body: unknown) => createVisitor(stack.url).post(path, body);

/** Addresses by kind of owner; each is used too rarely to reach a limit. */
const addressesOf = (sellers: Seller[], unverified: string[]): Record<string, (index: number) => string> => ({
  free: newAddress,
  taken: (index) => sellers[index % 5]!.email,
  unverified: (index) => unverified[index % 5]!,
});

/** What asks about an address. */
const asks: Record<string, (stack: TestStack, email: string) => Promise<Answer<unknown>>> = {
  'sign-up': (stack, email) => post(stack, paths.accounts, signUpForm({ email })),
  'the verification mail': (stack, email) => post(stack, paths.verification, { email }),
  'a new password': (stack, email) => post(stack, paths.passwordReset, { email }),
  'a sign-in with a wrong password': (stack, email) =>
    post(stack, paths.session, { email, password: 'Wrong-Horse-7' }),
};

const lowerQuartile = (values: number[]) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 4)]!;

/** Each of the five addresses of a kind is asked about twice, below every limit. */
const rounds = 7;

/** What of an answer says the same each time: all but the parts that are random or the time of day. */
function visible({ status, headers, body }: Answer<unknown>): unknown {
  const lines = [...headers].map(([name, value]) => {
    if (name === 'date') return [name];
    return [name, value.replace(/packshot-sign-up=[\w-]{43};/, 'packshot-sign-up=…;')];
  });
  return { status, lines, body: JSON.stringify(body).replace(/"requestId":"[\w-]{36}"/, '"requestId":"…"') };
}

test.for(Object.entries(asks))(
  '%s answers the same in the same time for every address',
  async ([, ask], { stack, sellers, unverified }) => {
    await forgetAttempts(stack.db);
    await forgetMailsAsked(stack.db);
    const took: Record<string, number[]> = {};
    const seen = new Set<string>();
    // In turn, so that whatever else the machine does burdens all alike.
    for (let index = 0; index < rounds; index += 1) {
      for (const [whose, address] of Object.entries(addressesOf(sellers, unverified))) {
        const began = performance.now();
        const answer = await ask(stack, address(index));
        took[whose] = [...(took[whose] ?? []), performance.now() - began];
        seen.add(JSON.stringify(visible(answer)));
      }
    }
    expect([...seen]).toHaveLength(1);
    const quick = Object.values(took).map(lowerQuartile);
    const figures = Object.entries(took).map(([whose, values]) => `${whose} ${median(values).toFixed(1)} ms`);
    console.log(figures.join(', '));
    // Of the quicker ones: a machine that is busy with other things holds some of them up for a step.
    expect(Math.max(...quick) - Math.min(...quick), figures.join(', ')).toBeLessThan(15);
    // Not by chance, with all of them quick: they leave at the same step.
    expect(Math.min(...quick), figures.join(', ')).toBeGreaterThan(240);
  },
);

test('the mail that is one too many is not sent, and nobody can tell', async ({ stack, sellers }) => {
  const { email } = sellers[0]!;
  await stack.models.mails.deleteMany({});
  await forgetMailsAsked(stack.db);
  const seen = new Set<string>();
  for (let count = 0; count < limits.mailsAsked + 3; count += 1) {
    seen.add(JSON.stringify(visible(await post(stack, paths.passwordReset, { email }))));
  }
  expect([...seen]).toHaveLength(1);
  expect(await stack.models.mails.countDocuments({ to: email })).toBe(limits.mailsAsked);
  // The last link that was sent still works: what was asked for in vain has not made it void.
  expect(await stack.models.accountTokens.countDocuments({ user_id: sellers[0]!.id })).toBe(1);
});

test('a sign-up that sends no mail any more leaves the account as it is', async ({ stack }) => {
  const email = newAddress();
  for (let count = 0; count < limits.mailsAsked; count += 1) {
    await post(stack, paths.accounts, signUpForm({ email, password: testPassword }));
  }
  const before = await stack.models.users.findOne({ email }).lean();
  expect((await post(stack, paths.accounts, signUpForm({ email, password: 'Other-Horse-9' }))).status).toBe(
    202,
  );
  expect(await stack.models.users.findOne({ email }).lean()).toEqual(before);
});
