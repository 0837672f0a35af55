/** A request whose upload was admitted just before: rules that were asked are not asked again, and money is decided anew. */
import { expect, vi } from 'vitest';
import { submitForm } from '#server/generations/submit-form.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { recordUnmade } from '#shared/data/profiles/holds.ts';
import { poorSeller, sampleSubmission } from '#tests/support/credits.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 });

/** Submits as after an admission, which was followed by a change. @returns what came of it, and how often earlier images were counted */
async function submitAfter(stack: TestStack, change: object, ageMs = 0) {
  const { context } = stack.server;
  const sellerId = await poorSeller(stack.db, 'freelance', 1);
  // Otherwise there is nothing to count.
  await recordUnmade(stack.db, sellerId, new Date());
  const admitted = { profile: (await findProfile(stack.db, sellerId))!, at: performance.now() - ageMs };
  await stack.models.profiles.updateOne({ _id: sellerId }, change);
  const submission = await sampleSubmission(stack, sellerId);
  const counted = vi.spyOn(modelsOf(context.db).generations.collection, 'countDocuments');
  const [outcome] = await Promise.allSettled([submitForm(context, { ...submission, admitted })]);
  const countings = counted.mock.calls.length;
  counted.mockRestore();
  const rows = await stack.models.generations.countDocuments({ profile: sellerId });
  const { holds } = (await stack.models.profiles.findById(sellerId).lean())!;
  return { outcome, countings, rows, holds: holds.length };
}

test('what was asked a moment ago is not asked again, what is older is', async ({ stack }) => {
  expect(await submitAfter(stack, {})).toMatchObject({
    outcome: { status: 'fulfilled' },
    countings: 0,
    rows: 1,
    holds: 1,
  });
  expect((await submitAfter(stack, {}, 3_600_000)).countings).toBe(1);
  expect((await submitAfter(stack, { $set: { unmade_at: null } }, 3_600_000)).countings).toBe(0);
});

test.for([
  ['an account that is being deleted', { deletion_asked_at: new Date() }, 'UNAUTHENTICATED'],
  ['a plan that has ended', { subscription_status: 'canceled' }, 'NO_SUBSCRIPTION'],
  ['images that are used up', { generations_left: 0 }, 'NO_CREDITS'],
] as const)('%s since then is refused, and nothing is left', async ([, $set, code], { stack }) => {
  expect(await submitAfter(stack, { $set })).toMatchObject({
    outcome: { status: 'rejected', reason: { code } },
    rows: 0,
    holds: 0,
  });
});
