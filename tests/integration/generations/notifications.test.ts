/** Notifications: what is written and when, who sees it, and what is read. */
import { expect } from 'vitest';
import { type NotificationList, type NotificationView, paths } from '#contract';
import { settleGeneration } from '#shared/generations/settle.ts';
import { call } from '#tests/support/account.ts';
import { atOnce, forfeitUntil, giveFreeImages, workerContext } from '#tests/support/credits.ts';
import { expectError } from '#tests/support/errors.ts';
import { insertImage } from '#tests/support/finished-images.ts';
import { contentRefused } from '#tests/support/provider-calls.ts';
import type { Seller } from '#tests/support/seller.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { testWithSeller } from '#tests/support/test.ts';
import { runUpkeep } from '#worker/upkeep/upkeep.ts';

const test = testWithSeller();
test.beforeEach(({ stack }) => stack.images.reset());

async function list(seller: Seller, query = ''): Promise<NotificationList> {
  return (await seller.request<NotificationList>(paths.notifications + query)).body;
}

const lowBalances = async (seller: Seller) =>
  (await list(seller)).notifications.filter(({ kind }) => kind === 'low-balance').map(({ title }) => title);

/** Waits until generations are settled. */
async function untilSettled(stack: TestStack, ids: readonly string[]): Promise<void> {
  const due = { _id: { $in: ids }, $or: [{ ended_at: null }, { settlement_due: true }] };
  await expect.poll(() => stack.models.generations.countDocuments(due)).toBe(0);
}

test('an image that ended: one notification over socket and list, also when its worker died before writing it', async ({
  stack,
  seller,
  window,
}) => {
  const received = new Promise<NotificationView>((resolve) => window.socket.once('notification', resolve));
  const { id } = await seller.submit({ productName: 'Walnut bowl' });
  const view = await received;
  expect(view).toMatchObject({
    kind: 'image-ready',
    title: 'Your image is ready',
    text: 'Walnut bowl',
    generationId: id,
    setId: null,
    read: false,
  });
  await untilSettled(stack, [id]);
  expect(await list(seller)).toEqual({ notifications: [view], unread: 1, nextCursor: null });

  // The state after an attempt that died between ending the generation and writing the notification.
  await stack.models.notifications.deleteMany({ profile: seller.id });
  await stack.models.generations.updateOne({ _id: id }, { $set: { settlement_due: true } });
  await runUpkeep(workerContext(stack), atOnce);
  const row = await stack.models.generations.findById(id).lean();
  await settleGeneration(stack.server.context, row!);
  expect((await list(seller)).notifications).toMatchObject([{ kind: 'image-ready', generationId: id }]);

  // Its texts go with the image.
  await call(seller, 'DELETE', paths.generation(id));
  await runUpkeep(workerContext(stack), atOnce);
  expect((await list(seller)).notifications).toMatchObject([{ title: 'Your image is ready', text: '' }]);
});

test('a set is notified of once, when its last take has ended; one that was cancelled not at all', async ({
  stack,
  seller,
  window,
}) => {
  await stack.images.set({ behaviours: [contentRefused, { kind: 'ok' }, { kind: 'hold' }] });
  const takes = (await seller.submitSet(3)).map(({ id }) => id);
  await expect
    .poll(() => stack.models.generations.countDocuments({ _id: { $in: takes }, ended_at: { $ne: null } }))
    .toBe(2);
  await stack.images.waitFor({ waiting: 1 });
  expect((await list(seller)).notifications).toEqual([]);
  await stack.images.release();
  for (const id of takes) await window.untilEnded(id);
  await untilSettled(stack, takes);
  expect((await list(seller)).notifications).toMatchObject([
    { kind: 'image-ready', title: '2 of 3 images are ready', generationId: takes[0], setId: takes[0] },
  ]);

  await stack.images.set({ behaviours: [contentRefused, { kind: 'hold' }] });
  const failed = await seller.submit({ productName: 'Lamp' });
  await untilSettled(stack, [failed.id]);
  const cancelled = await seller.submit();
  await stack.images.waitFor({ waiting: 1 });
  await seller.cancel(cancelled.id);
  await untilSettled(stack, [cancelled.id]);
  const { notifications } = await list(seller);
  expect(notifications.map(({ kind }) => kind)).toEqual(['image-failed', 'image-ready']);
  expect(notifications[0]!.text).toMatch(/^Lamp: .*content policy/);
});

test('a low balance is notified of once in a period', async ({ stack, seller }) => {
  await forfeitUntil(stack, seller, 12);
  await insertImage(stack, seller);
  expect(await lowBalances(seller)).toEqual([]);
  await insertImage(stack, seller);
  await insertImage(stack, seller);
  expect(await lowBalances(seller)).toEqual(['Only 10 images left']);
  const nextPeriod = { 'subscription_data.current_period_start': new Date(Date.now() + 1_000) };
  await stack.models.profiles.updateOne({ _id: seller.id }, { $set: nextPeriod });
  await insertImage(stack, seller);
  expect(await lowBalances(seller)).toEqual(['Only 8 images left', 'Only 10 images left']);
});

test('the last free image is notified of once', async ({ stack }) => {
  const seller = await stack.seller({ paid: false });
  await giveFreeImages(stack, seller, 3);
  await insertImage(stack, seller);
  expect(await lowBalances(seller)).toEqual([]);
  await insertImage(stack, seller);
  await insertImage(stack, seller);
  expect(await lowBalances(seller)).toEqual(['Only 1 free image left']);
});

test('notifications are read by id or up to a moment, page by page, by their seller only, and go after 30 days', async ({
  stack,
  seller,
}) => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.unshift((await insertImage(stack, seller))._id);
  const first = await list(seller, '?limit=2');
  const rest = await list(seller, `?limit=2&cursor=${first.nextCursor}`);
  const all = [...first.notifications, ...rest.notifications];
  expect(new Set(all.map(({ generationId }) => generationId))).toEqual(new Set(ids));
  expect([first.unread, rest.nextCursor]).toEqual([3, null]);

  const read = (by: Seller, body: object) => call(by, 'POST', paths.readNotifications, body);
  const stranger = await stack.seller();
  await read(stranger, { ids: all.map(({ id }) => id) });
  await read(stranger, { until: new Date().toISOString() });
  expect((await list(stranger)).notifications).toEqual([]);
  expect((await seller.me()).unreadNotifications).toBe(3);
  expect((await read(seller, { ids: [all[0]!.id] })).body).toEqual({ unread: 2 });
  expect((await list(seller)).notifications.map((view) => view.read)).toEqual([true, false, false]);
  expect((await read(seller, { until: all[1]!.createdAt })).body).toEqual({ unread: 0 });
  expect((await seller.me()).unreadNotifications).toBe(0);
  expectError(await read(seller, {}), 'VALIDATION');
  const anonymous = await fetch(stack.url + paths.notifications);
  expect(anonymous.status).toBe(401);
});
