import { expect } from 'vitest';
import { paths } from '#contract';
import { settleGeneration } from '#shared/generations/settle.ts';
import { call } from '#tests/support/account.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { faultKinds, meetsFault } from '#tests/support/faults.ts';
import { insertImage, makeImage } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Form, Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

// The worker's own upkeep would repair the state before a test has checked it.
const test = testWithCrashableDb();

/** Makes a seller who gets a mail when a generation ends, or one with other settings. */
async function sellerWithMails(
  stack: TestStack,
  settings: object = { emailNotifications: true },
): Promise<Seller> {
  const seller = await stack.seller();
  await call(seller, 'PATCH', paths.settings, settings);
  return seller;
}

/** Submits and waits for the end. @returns the generation's id */
const submitAndWait = async (seller: Seller, form?: Form) => (await makeImage(seller, form)).id;

/** Waits until a generation is settled. @returns the number of mails about it in the outbox, sent or not */
async function countMailsAbout(stack: TestStack, id: string): Promise<number> {
  const settlementDue = async () => (await stack.models.generations.findById(id).lean())?.settlement_due;
  await expect.poll(settlementDue).toBeUndefined();
  return stack.models.mails.countDocuments({ _id: `generation-${id}` });
}

test('a mail says that an image is ready, with a link to it', async ({ stack }) => {
  const seller = await sellerWithMails(stack);
  const id = await submitAndWait(seller, { productName: 'Walnut lamp' });
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: 'ready' });
  expect(mail.subject).toContain('Walnut lamp');
  expect(stack.mails.linkIn(mail, '/dashboard')).toBe(`${stack.config.linkUrl}/dashboard?generation=${id}`);
  expect(await countMailsAbout(stack, id)).toBe(1);
});

test('a mail says why an image could not be made', async ({ stack }) => {
  const seller = await sellerWithMails(stack);
  await stack.images.set({ behaviours: [contentRefused] });
  await submitAndWait(seller);
  const mail = await stack.mails.waitForMail({ to: seller.email, subject: "couldn't create" });
  expect(mail.text).toContain('content policy');
});

test.for<[when: string, settings: object]>([
  ['by default', {}],
  ['with mails on but all notifications off', { emailNotifications: true, notificationsEnabled: false }],
])('no mail comes %s', async ([, settings], { stack }) => {
  const seller = await sellerWithMails(stack, settings);
  expect(await countMailsAbout(stack, await submitAndWait(seller))).toBe(0);
});

test('a cancelled generation sends no mail', async ({ stack }) => {
  const seller = await sellerWithMails(stack);
  await stack.images.set({ default: { kind: 'hold' } });
  const { id } = await seller.submit();
  expect((await seller.cancel(id)).status).toBe(200);
  await stack.images.reset();
  expect(await countMailsAbout(stack, id)).toBe(0);
});

test('one mail is enqueued and one notification written, whichever step of settling fails', async ({
  stack,
  crashableDb,
}) => {
  const seller = await sellerWithMails(stack);
  const context = { ...stack.server.context, db: crashableDb };
  /** The faults by the id of the generation that they happened to. */
  const faults = new Map<string, string>();
  for (const kind of faultKinds) {
    for (let at = 0, failed = true; failed; at += 1) {
      const row = await insertImage(stack, seller, { settle: false });
      faults.set(row._id, `${kind} at ${at}`);
      failed = await meetsFault({ kind, at }, () => settleGeneration(context, row));
    }
  }
  // Each kind interrupted more than four steps, and not the last time.
  expect(faults.size).toBeGreaterThan(5 * faultKinds.length);
  await runUpkeep(workerContext(stack), atOnce);
  const { mails, notifications } = stack.models;
  const counts = await Promise.all(
    [...faults].map(async ([id, fault]) => [
      fault,
      await mails.countDocuments({ _id: `generation-${id}` }),
      await notifications.countDocuments({ key: `ended:${id}` }),
    ]),
  );
  expect(counts).toEqual([...faults.values()].map((fault) => [fault, 1, 1]));
  await expect.poll(() => stack.audit(), eventually).toEqual([]);
});
