/** Shared by the tests of free images. */
import { expect } from 'vitest';
import { type GenerationSet, type Me, paths, type SessionReply } from '#contract';
import { turnOf } from '#shared/platform/priorities.ts';
import { expectError } from '#tests/support/errors.ts';
import { samplePhoto } from '#tests/support/photos.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import { testPassword } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { createVisitor, newAddress, signUpAndVerify, signUpForm } from '#tests/support/visitor.ts';

export const test = testWithStack();

export const three = { granted: 3, left: 3, held: 0, due: false };

/** Signs up and confirms the address. @returns what the first session says, and a function that submits as the seller */
export async function newcomer(
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
export async function signInFrom(url: string, email: string, from = '127.0.0.1') {
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

/** Defines the test that of so many concurrent submits three are accepted. */
export function testConcurrentSubmits(count: number): void {
  test(`of ${count} concurrent submits exactly three are accepted, without the priority of a plan that is not paid`, async ({
    stack,
  }) => {
    await stack.images.set({ default: { kind: 'hold' } });
    const seller = await newcomer(stack, newAddress(), 'enterprise');
    const answers = await Promise.all(Array.from({ length: count }, () => seller.submit()));
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
}
