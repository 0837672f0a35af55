/** Shared by the tests of retention: rows of logs, and images of sellers whose plan ended, with faults at some steps. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { limits, paths } from '#contract';
import { newId } from '#shared/data/db.ts';
import { atOnce, workerContext } from '#tests/support/credits.ts';
import { type Fault, withFault } from '#tests/support/faults.ts';
import { untilEnded } from '#tests/support/finished-images.ts';
import { eventually } from '#tests/support/harness.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { expectCleanSoon, payByCheckout, profileOf, subscriber } from '#tests/support/subscriber.ts';
import { testWithCrashableDb } from '#tests/support/test.ts';
import { removeExpired } from '#worker/upkeep/retention.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithCrashableDb({ settings: { KEEP_IMAGES_DAYS: '30' } });

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** Inserts rows of each kind that are a minute older than what is kept, and rows that are a minute younger. */
async function insertRows({ models }: TestStack, olds: number, youngs: number): Promise<void> {
  const around = (days: number, old: boolean) => new Date(daysAgo(days).getTime() + (old ? -60_000 : 60_000));
  for (const old of [...Array(olds).fill(true), ...Array(youngs).fill(false)]) {
    const [_id, seller] = [newId(), newId()];
    const at = around(limits.activityDays, old);
    await models.activities.create({
      _id,
      user_id: seller,
      kind: 'signed-in',
      device: 'a',
      address: 'b',
      at,
    });
    await models.notifications.create({
      _id,
      profile: seller,
      key: _id,
      kind: 'plan-ended',
      data: { plan: 'freelance' },
      created_at: around(limits.notificationDays, old),
    });
    const handled = around(30, old);
    await models.stripeEvents.create({
      _id,
      type: 'invoice.paid',
      received_at: handled,
      handled_at: handled,
    });
  }
  await models.stripeEvents.create({ _id: newId(), type: 'invoice.paid', received_at: daysAgo(400) });
}

async function countRows({ models }: TestStack): Promise<number[]> {
  return Promise.all([
    models.activities.countDocuments({ address: 'b' }),
    models.notifications.countDocuments({ kind: 'plan-ended', generation: null }),
    models.stripeEvents.countDocuments({ type: 'invoice.paid', customer: null }),
  ]);
}

/** Makes images for a seller. @returns their ids */
async function makeImages(stack: TestStack, seller: Seller, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < count; index += 1) made.push((await seller.submit()).id);
  for (const id of made) {
    expect(await untilEnded(seller, id)).toMatchObject({ state: 'succeeded' });
  }
  await expect
    .poll(() => stack.models.generations.countDocuments({ settlement_due: true }), eventually)
    .toBe(0);
  return made;
}

/** Ends a seller's plan at Stripe. */
async function endPlan(stack: TestStack, seller: Seller): Promise<void> {
  await stack.stripe.cancelAtPeriodEnd((await profileOf(stack, seller)).subscription_id!);
  await stack.stripe.advance({ months: 1 });
  await stack.stripe.settled();
  await expect
    .poll(async () => (await profileOf(stack, seller)).subscription_status, eventually)
    .toBe('canceled');
}

/** Defines the test of old rows. @param faults that rounds of upkeep meet, one each */
export function testRows(faults: Fault[]): void {
  test('old rows are removed in small steps, younger ones and events that were not handled stay', async ({
    stack,
    crashableDb,
  }) => {
    await insertRows(stack, 7, 2);
    expect(await removeExpired(workerContext(stack), 3)).toMatchObject({
      activities: 3,
      notifications: 3,
      stripeEvents: 3,
    });
    expect(await countRows(stack)).toEqual([6, 6, 7]);
    // After a crash anywhere the next round continues.
    for (const fault of faults) {
      const context = { ...workerContext(stack), db: crashableDb };
      await withFault(fault, () => removeExpired(context, 1)).catch(() => {});
    }
    await removeExpired(workerContext(stack));
    expect(await countRows(stack)).toEqual([2, 2, 3]);
    const never = { ...workerContext(stack).config.retention, activities: null };
    const context = workerContext(stack);
    await insertRows(stack, 1, 0);
    await removeExpired({ ...context, config: { ...context.config, retention: never } });
    expect(await countRows(stack)).toEqual([3, 2, 4]);
  });
}

/** Defines the test of images. @param faults that rounds of upkeep meet, one each */
export function testImages(faults: Fault[]): void {
  test('images end with their files at the date that the mail about the end of the plan names, and not with a new plan', async ({
    stack,
    crashableDb,
  }) => {
    const [leaving, returning] = [await subscriber(stack, 'freelance'), await subscriber(stack, 'freelance')];
    const ids = await makeImages(stack, leaving, 3);
    await makeImages(stack, returning, 1);
    const [leavingEmail] = [(await leaving.me()).user.email];
    const earliest = daysAgo(-30);
    await endPlan(stack, leaving);
    await endPlan(stack, returning);

    const end = (await profileOf(stack, leaving)).images_end_at!;
    expect(end.getTime()).toBeGreaterThanOrEqual(earliest.getTime());
    expect(end.getTime()).toBeLessThanOrEqual(daysAgo(-30).getTime());
    const mail = await stack.mails.waitForMail({ to: leavingEmail, subject: 'subscription has ended' });
    expect(mail.text).toMatch(new RegExp(`images are kept until.*${end.getUTCFullYear()}`, 's'));
    await removeExpired(workerContext(stack));
    expect(await leaving.generations()).toHaveLength(3);
    // What is in the trash by then ends with the others.
    await leaving.request(paths.generation(ids[0]!), { method: 'DELETE' });

    await stack.models.profiles.updateMany(
      { _id: { $in: [leaving.id, returning.id] } },
      { $set: { images_end_at: daysAgo(1) } },
    );
    // While the setting is off, nothing ends.
    const context = workerContext(stack);
    const never = { ...context.config, retention: { ...context.config.retention, images: null } };
    expect(await removeExpired({ ...context, config: never })).toMatchObject({ images: 0 });
    await payByCheckout(stack, returning, 'freelance');
    expect((await profileOf(stack, returning)).images_end_at).toBeNull();

    for (const fault of faults) {
      await withFault(fault, () => removeExpired({ ...context, db: crashableDb }, 1)).catch(() => {});
    }
    await removeExpired(context);
    await removeExpired(context);
    expect(await leaving.generations()).toEqual([]);
    expect((await profileOf(stack, leaving)).images_end_at).toBeNull();
    expect(await returning.generations()).toHaveLength(1);

    // None of them waits in the trash.
    await runUpkeep(context, { ...atOnce, trashedMs: 1e12 });
    for (const id of ids) {
      expect(existsSync(join(stack.storageFolder, `generations/${id}`)), id).toBe(false);
      expect(existsSync(join(stack.storageFolder, `photo-sets/${id}`)), id).toBe(false);
    }
    await expectCleanSoon(stack);
  });
}
