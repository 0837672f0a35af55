import { expect } from 'vitest';
import { paths } from '#contract';
import { connectDb } from '#shared/data/connect.ts';

import { settleGeneration } from '#shared/generations/settle.ts';
import { call } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { crashable, FaultError, faultKinds, withFault } from '#tests/support/faults.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithStack } from '#tests/support/test.ts';
import { reconcile } from '#worker/upkeep.ts';

// Its own rounds of upkeep would mend before a test has looked.
const test = testWithStack({ settings: { UPKEEP_INTERVAL_MS: '600000' } });

/** A seller who wants a mail when a generation ends. */
async function writtenTo(stack: TestStack, settings: object = { emailNotifications: true }): Promise<Seller> {
  const seller = await stack.seller();
  await call(seller, 'PATCH', paths.settings, settings);
  return seller;
}

async function ended(seller: Seller, form?: Parameters<Seller['submit']>[0]): Promise<string> {
  const window = await seller.openWindow();
  const { id } = await seller.submit(form);
  await window.untilEnded(id);
  window.close();
  return id;
}

/** Mails about a generation that were posted, sent or not; waits until its decision has been followed to the end. */
async function mailsAbout(stack: TestStack, id: string): Promise<number> {
  const isFollowed = async () => (await stack.models.generations.findById(id).lean())?.settlement_due;
  await expect.poll(isFollowed).toBeUndefined();
  return stack.models.mails.countDocuments({ _id: `generation-${id}` });
}

test('a mail says that an image is ready, with a way to it and to the settings', async ({ stack }) => {
  const seller = await writtenTo(stack);
  const id = await ended(seller, { productName: 'Walnut lamp' });
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'ready' });
  expect(mail.subject).toContain('Walnut lamp');
  expect(stack.mails.linkIn(mail, '/dashboard')).toBe(`${stack.config.linkUrl}/dashboard?generation=${id}`);
  expect(await mailsAbout(stack, id)).toBe(1);
});

test('a mail says why an image could not be made', async ({ stack }) => {
  const seller = await writtenTo(stack);
  const refusal = {
    kind: 'error',
    status: 400,
    code: 'moderation_blocked',
    type: 'image_generation_user_error',
  } as const;
  await stack.images.set({ behaviours: [refusal] });
  await ended(seller);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: "couldn't create" });
  expect(mail.text).toContain('content policy');
});

test.for<[when: string, settings: object]>([
  ['by default', {}],
  ['with mails on but all notifications off', { emailNotifications: true, notificationsEnabled: false }],
])('no mail comes %s', async ([, settings], { stack }) => {
  const seller = await writtenTo(stack, settings);
  expect(await mailsAbout(stack, await ended(seller))).toBe(0);
});

test('a cancelled generation sends no mail', async ({ stack }) => {
  const seller = await writtenTo(stack);
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await seller.submit();
  expect((await call(seller, 'POST', paths.cancelGeneration(id))).status).toBe(200);
  await stack.images.reset();
  expect(await mailsAbout(stack, id)).toBe(0);
});

test('it is posted once, at whichever step the process dies that follows the decision', async ({ stack }) => {
  const crashableDb = crashable(await connectDb(stack.config.mongodbUrl));
  try {
    const seller = await writtenTo(stack);
    const id = await ended(seller);
    expect(await mailsAbout(stack, id)).toBe(1);
    let stepsMet = 0;
    for (const kind of faultKinds) {
      for (let at = 0, broken = true; broken; at += 1) {
        // As it is right after the decision.
        await stack.models.mails.deleteOne({ _id: `generation-${id}` });
        await stack.models.generations.updateOne({ _id: id }, { $set: { settlement_due: true } });
        const row = await stack.models.generations.findById(id).lean();
        broken = await withFault({ kind, at }, () =>
          settleGeneration({ ...stack.server.context, db: crashableDb }, row!),
        ).then(
          () => false,
          (error) => {
            if (error instanceof FaultError) return true;
            throw error;
          },
        );
        await reconcile(workerContext(stack), atOnce);
        expect([kind, at, await mailsAbout(stack, id)]).toEqual([kind, at, 1]);
        if (broken) stepsMet += 1;
      }
    }
    expect(stepsMet).toBeGreaterThan(4 * 4);
    expect(await stack.audit()).toEqual([]);
  } finally {
    await crashableDb.close();
  }
});
