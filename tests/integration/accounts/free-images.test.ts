/** Free images of a new account: once for each mailbox, so many for each network, and used when the plan allows none. */

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  type CreditEntryList,
  type GenerationSet,
  limits,
  type Me,
  paths,
  type SessionReply,
} from '#contract';
import { requestLimits } from '#contract/request-limits.ts';
import { finishDeletion } from '#shared/accounts/deletion.ts';
import { createAccount } from '#shared/data/accounts/create.ts';
import { beginDeletion } from '#shared/data/accounts/deletion.ts';
import { turnOf } from '#shared/platform/priorities.ts';
import { hash } from '#tests/support/cheap-argon2.ts';
import { expectError } from '#tests/support/errors.ts';
import { eventually } from '#tests/support/harness.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import { openWindow, testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import {
  createVisitor,
  newAddress,
  signUpAndVerify,
  signUpForm,
  tokenFromMail,
} from '#tests/support/visitor.ts';

const test = testWithStack();

const three = { granted: 3, left: 3, held: 0, due: false };

const none = { granted: 0, left: 0, held: 0, due: false };

const used = "You've used your 3 free images. Choose a plan to create more.";

/** Signs up and confirms the address. @returns what the first session says, and a function that submits as the seller */
async function newcomer(
  stack: TestStack,
  email = newAddress(),
  plan: 'freelance' | 'enterprise' = 'freelance',
) {
  const visitor = createVisitor(stack.url);
  const { status, body } = await signUpAndVerify(stack, visitor, signUpForm({ email, plan }));
  expect(status).toBe(200);
  const session = body as SessionReply;
  return {
    session,
    id: session.user.id,
    visitor,
    async submit() {
      const form = new FormData();
      form.set('prompt', 'On a wooden table');
      form.set('images', new Blob([new Uint8Array(await samplePhoto())], { type: 'image/png' }), 'photo.png');
      const answer = await visitor.request(paths.generations, { method: 'POST', body: form });
      const [generation] = (answer.body as Partial<GenerationSet>).generations ?? [];
      return { ...answer, generation };
    },
    me: async () => (await visitor.request(paths.me)).body as Me,
  };
}

/** Signs in from an address of this machine. @returns the free images */
async function signInFrom(url: string, email: string, from = '127.0.0.1') {
  const answer = await sendRaw(url, {
    method: 'POST',
    path: paths.session,
    body: JSON.stringify({ email, password: testPassword }),
    headers: { 'content-type': 'application/json' },
    from,
  });
  expect(answer.status).toBe(200);
  return (answer.body as SessionReply).subscription.freeImages;
}

/** An account whose owner has confirmed the address but not signed in yet. */
async function confirmed(stack: TestStack, email: string): Promise<string> {
  const account = {
    email,
    fullName: 'New Seller',
    passwordHash: await hash(testPassword),
    plan: 'freelance' as const,
  };
  const created = (await createAccount(stack.db, account))!;
  await stack.models.users.updateOne({ _id: created.user._id }, { sign_up: null });
  return created.user._id;
}

test('the first session brings three images, which work without a plan; then the plans are named', async ({
  stack,
}) => {
  const seller = await newcomer(stack);
  expect(seller.session.subscription).toMatchObject({
    status: 'inactive',
    canGenerate: false,
    generationsLeft: 0,
    freeImages: three,
  });
  const window = await openWindow(stack.url, seller.session.token);
  for (let left = 2; left >= 0; left -= 1) {
    const { status, generation } = await seller.submit();
    expect(status).toBe(202);
    expect(await window.untilEnded(generation!.id)).toMatchObject({ state: 'succeeded', imageUsed: true });
    expect((await seller.me()).subscription.freeImages).toEqual({ granted: 3, left, held: 0, due: false });
  }
  window.close();
  expectError(await seller.submit(), 'NO_SUBSCRIPTION', { message: used });

  // Signing in again brings no more, and the ledger says where they came from.
  const { email } = seller.session.user;
  expect(await signInFrom(stack.url, email)).toEqual({ granted: 3, left: 0, held: 0, due: false });
  const { entries } = (await seller.visitor.request(paths.creditEntries)).body as CreditEntryList;
  expect(entries.map(({ kind, count, free, period }) => ({ kind, count, free, period }))).toEqual([
    ...Array(3).fill({ kind: 'settle', count: 1, free: false, period: null }),
    { kind: 'grant', count: 3, free: true, period: null },
  ]);
  await expect.poll(() => stack.audit()).toEqual([]);
});

test('of 30 concurrent submits exactly three are accepted, without the priority of a plan that is not paid', async ({
  stack,
}) => {
  await stack.images.set({ default: { kind: 'hold' } });
  const seller = await newcomer(stack, newAddress(), 'enterprise');
  const answers = await Promise.all(Array.from({ length: 30 }, () => seller.submit()));
  const accepted = answers.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(3);
  const message = 'The last of your free images are being created. Choose a plan to create more.';
  for (const answer of answers.filter(({ status }) => status !== 202)) {
    expectError(answer, 'NO_SUBSCRIPTION', { message });
  }
  expect((await seller.me()).subscription.freeImages).toEqual({ granted: 3, left: 0, held: 3, due: false });
  const rows = await stack.models.generations.find({ profile: seller.id }).lean();
  expect(rows.map(({ priority }) => turnOf(priority)?.band)).toEqual(['standard', 'standard', 'standard']);

  const [first] = accepted;
  const cancel = await seller.visitor.post(paths.cancelGeneration(first!.generation!.id), {});
  expect(cancel.status).toBe(200);
  expect((await seller.me()).subscription.freeImages).toEqual({ granted: 3, left: 1, held: 2, due: false });
  await stack.images.reset();
  await expect.poll(async () => (await seller.me()).subscription.freeImages.held).toBe(0);
  await expect.poll(() => stack.audit()).toEqual([]);
});

test('an address that is confirmed by a password reset gets them with the next sign-in', async ({
  stack,
}) => {
  const form = signUpForm();
  const visitor = createVisitor(stack.url);
  await visitor.post(paths.accounts, form);
  await visitor.post(paths.passwordReset, { email: form.email });
  const { token } = await tokenFromMail(stack, form.email, 'resetPassword');
  expect((await visitor.post(paths.confirmPasswordReset, { token, password: testPassword })).status).toBe(
    204,
  );
  expect(await signInFrom(stack.url, form.email)).toEqual(three);
});

test('accounts with one mailbox that sign in at the same time get them once', async ({ stack }) => {
  const name = `ana${randomUUID().replaceAll('-', '')}`;
  const emails = [
    `${name}@gmail.com`,
    `${name}+packshot@gmail.com`,
    `a.${name.slice(1)}@googlemail.com`,
    `${name}+2@googlemail.com`,
  ];
  for (const email of emails) await confirmed(stack, email);
  const granted = await Promise.all(emails.map((email) => signInFrom(stack.url, email)));
  expect(granted.map((images) => images.granted).sort()).toEqual([0, 0, 0, 3]);
  // It stays with that account.
  const again = await Promise.all(emails.map((email) => signInFrom(stack.url, email)));
  expect(again).toEqual(granted);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('while the session secret is changed, a mailbox that has had them gets none at either server', async ({
  stack,
}) => {
  const [old, next] = [stack.config.sessionSecret, randomUUID() + randomUUID()];
  const before = await stack.startServer({ SESSION_SECRET: `${old},${next}` });
  const after = await stack.startServer({ SESSION_SECRET: `${next},${old}` });
  for (const [first, second] of [
    [before, after],
    [after, before],
  ] as const) {
    const local = randomUUID();
    const emails = [`${local}@shop.example`, `${local}+again@shop.example`] as const;
    for (const email of emails) await confirmed(stack, email);
    expect(await signInFrom(first.url, emails[0])).toEqual(three);
    expect(await signInFrom(second.url, emails[1])).toEqual(none);
  }
});

test('after deleting the account, another one with the mailbox gets none; only a hash and dates are kept', async ({
  stack,
}) => {
  const local = `bo-${randomUUID()}`;
  const first = await newcomer(stack, `${local}@shop.example`);
  expect(first.session.subscription.freeImages).toEqual(three);
  const { id } = first;
  await beginDeletion(stack.db, id);
  expect(await finishDeletion(stack.server.context, id, new Date(Date.now() + 1_000))).toBe(true);
  await stack.mails.clear();
  const claims = await stack.models.freeImageClaims.find().sort({ at: -1 }).lean();
  expect(Object.keys(claims[0]!).sort()).toEqual(['_id', 'at', 'expires_at', 'pending']);
  expect(claims[0]).toMatchObject({ _id: expect.stringMatching(/^[\w-]{43}$/), pending: null });
  expect(claims[0]!.expires_at.getTime() - claims[0]!.at.getTime()).toBe(limits.freeImagesDays * 86_400_000);
  expect(JSON.stringify(claims)).not.toContain(id);

  const second = await newcomer(stack, `${local}@shop.example`);
  expect(second.session.subscription.freeImages).toEqual(none);
  expectError(await second.submit(), 'NO_SUBSCRIPTION');
  const tagged = await newcomer(stack, `${local}+again@shop.example`);
  expect(tagged.session.subscription.freeImages).toEqual(none);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('a network gets so many in a day; who is over it can sign in, and gets them once there is room', async ({
  stack,
}) => {
  const most = 2;
  const factor = String(most / requestLimits.network['free-images'].requests);
  const { url } = await stack.startServer({ NETWORK_LIMIT_FACTOR: factor });
  const emails = Array.from({ length: most + 2 }, newAddress);
  for (const email of emails) await confirmed(stack, email);
  const [first, second, third, fourth] = emails as [string, string, string, string];
  expect(await signInFrom(url, first, '127.0.9.1')).toEqual(three);
  // An address that had them takes nothing from its network.
  await confirmed(stack, first.replace('@', '+tag@'));
  expect(await signInFrom(url, first.replace('@', '+tag@'), '127.0.9.1')).toEqual(none);
  expect(await signInFrom(url, second, '127.0.9.1')).toEqual(three);
  expect(await signInFrom(url, third, '127.0.9.1')).toEqual({ ...none, due: true });
  expect(await signInFrom(url, third, '127.0.9.1')).toEqual({ ...none, due: true });
  expect(await signInFrom(url, fourth, '127.0.9.2')).toEqual(three);
  expect(await signInFrom(url, third, '127.0.9.2')).toEqual(three);
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});

test('an installation can give another number, or none; what was decided once stays', async ({ stack }) => {
  const [none1, seven] = await Promise.all(
    ['0', '7'].map((FREE_IMAGES) => stack.startServer({ FREE_IMAGES })),
  );
  const emails = [newAddress(), newAddress()] as const;
  for (const email of emails) await confirmed(stack, email);
  expect(await signInFrom(none1!.url, emails[0])).toEqual(none);
  expect(await signInFrom(stack.url, emails[0])).toEqual(none);
  expect(await signInFrom(seven!.url, emails[1])).toEqual({ granted: 7, left: 7, held: 0, due: false });
  expect(await signInFrom(stack.url, emails[1])).toEqual({ granted: 7, left: 7, held: 0, due: false });
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
