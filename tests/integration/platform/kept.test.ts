/** What is read once a second: a change is seen within a second, one of this process at once, and an error is thrown. */
import { expect, vi } from 'vitest';
import { changeSettings } from '#shared/data/accounts/change-settings.ts';
import { knownSettings, knownWithoutMails, wantsImageMails } from '#shared/data/accounts/user-settings.ts';
import { modelsOf } from '#shared/data/collections.ts';
import { connectDb } from '#shared/data/connect.ts';
import { keptMs } from '#shared/data/kept.ts';
import { countProviderFailure, knownProviderFlow } from '#shared/data/queue/provider-flow.ts';
import {
  beginProviderPause,
  endProviderPause,
  knownProviderPause,
} from '#shared/data/queue/provider-pauses.ts';
import { countClaims, findBannerAndLane, findLane, knownLanes } from '#shared/data/queue/queue-lanes.ts';
import { testWithStack } from '#tests/support/test.ts';

const test = testWithStack({ workers: 0 }).extend('other', async ({ stack }, { onCleanup }) => {
  const db = await connectDb(stack.config.mongodbUrl);
  onCleanup(() => db.close());
  return db;
});
test.beforeEach(({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

const aSecondLater = () => vi.advanceTimersByTime(keptMs);
const refusal = {
  kind: 'busy',
  until: new Date(Date.now() + 3_600_000),
  step: 1,
  careful: 3,
  cause: 'refused',
  openedAt: null,
} as const;

test('settings are read once a second, and what this process changes is seen at once', async ({
  stack,
  other,
}) => {
  const { id } = await stack.seller();
  const { db } = stack;
  const found = vi.spyOn(modelsOf(db).userSettings.collection, 'findOne');
  const [first] = await Promise.all(Array.from({ length: 10 }, () => knownSettings(db, id)));
  expect(first!.image_quality).not.toBe('low');
  expect(found).toHaveBeenCalledTimes(1);

  await changeSettings(other, id, { imageQuality: 'low' });
  aSecondLater();
  expect(await knownSettings(db, id)).toMatchObject({ image_quality: 'low' });
  await changeSettings(db, id, { imageQuality: 'medium' });
  expect(await knownSettings(db, id)).toMatchObject({ image_quality: 'medium' });
  expect(await knownSettings(db, 'nobody')).toBeNull();
  found.mockRestore();
});

test('that no mails are wanted is read once a second, and that they are wanted each time', async ({
  stack,
  other,
}) => {
  const { id } = await stack.seller();
  const { db } = stack;
  const found = vi.spyOn(modelsOf(db).userSettings.collection, 'findOne');
  const areWanted = async () => wantsImageMails(await knownWithoutMails(db, id));
  const wanted = { notificationsEnabled: true, emailNotifications: true };
  await changeSettings(db, id, { emailNotifications: false });
  expect([await areWanted(), await areWanted()]).toEqual([false, false]);
  expect(found).toHaveBeenCalledTimes(1);
  await changeSettings(other, id, wanted);
  aSecondLater();
  expect(await areWanted()).toBe(true);
  // Who unsubscribes at another process gets none from then on.
  await changeSettings(other, id, { emailNotifications: false });
  expect(await areWanted()).toBe(false);
  await changeSettings(db, id, wanted);
  expect(await areWanted()).toBe(true);
  found.mockRestore();
});

test('a reading that fails is an error for those who asked, and is not kept', async ({ stack }) => {
  const { id } = await stack.seller();
  const { db } = stack;
  const found = vi
    .spyOn(modelsOf(db).userSettings.collection, 'findOne')
    .mockRejectedValueOnce(new Error('away'));
  const asked = await Promise.allSettled([knownSettings(db, id), knownSettings(db, id)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  found.mockRestore();
  expect(await knownSettings(db, id)).toMatchObject({ _id: id });
});

test('that there is no pause is known for a second; a pause is always read', async ({ stack, other }) => {
  const { db } = stack;
  expect(await knownProviderPause(db)).toBeNull();
  await beginProviderPause(other, null, refusal);
  aSecondLater();
  expect(await knownProviderPause(db)).toMatchObject({ kind: 'busy', careful: 3 });
  // A call that began before it and is refused, too, prolongs it.
  const until = new Date(refusal.until.getTime() + 1_000);
  expect(await beginProviderPause(db, null, { ...refusal, until })).toMatchObject({
    begun: false,
    pause: { until, refused_calls: 2 },
  });
  // It ends at once for every worker.
  await endProviderPause(other);
  expect((await knownProviderPause(db))!.until.getTime()).toBeLessThanOrEqual(Date.now());
  await beginProviderPause(db, await knownProviderPause(db), { ...refusal, kind: 'account' });
  expect(await knownProviderPause(db)).toMatchObject({ kind: 'account' });
  await stack.models.providerPauses.deleteMany();
});

test('that no call failed is known for a second, and a failure of this process is seen at once', async ({
  stack,
  other,
}) => {
  const { db } = stack;
  expect((await knownProviderFlow(db))?.failures ?? 0).toBe(0);
  await countProviderFailure(db, new Date(0));
  expect(await knownProviderFlow(db)).toMatchObject({ failures: 1 });
  await countProviderFailure(other, new Date(0));
  expect(await knownProviderFlow(db)).toMatchObject({ failures: 2 });
  await stack.models.providerFlows.deleteMany();
});

test('how far a lane has come is read for a new image, and shown as it was a second ago at most', async ({
  stack,
  other,
}) => {
  const { db } = stack;
  const claims = { rounds: { first: 0, standard: 1 }, reset: true, passed: 0 };
  await countClaims(other, 'single', claims);
  expect(await knownLanes(db)).toMatchObject([{ standard_round: 1 }]);
  await countClaims(other, 'single', { ...claims, rounds: { first: 0, standard: 7 } });
  expect(await findLane(db, 'single')).toMatchObject({ standard_round: 7 });
  expect(await knownLanes(db)).toMatchObject([{ standard_round: 7 }]);
  await countClaims(other, 'single', { ...claims, rounds: { first: 0, standard: 8 } });
  expect(await findBannerAndLane(db, 'single')).toMatchObject({ banner: null, lane: { standard_round: 8 } });
  expect(await findBannerAndLane(db, 'batch')).toEqual({ banner: null, lane: null });
  expect(await knownLanes(db)).toMatchObject([{ standard_round: 8 }]);
  await countClaims(other, 'single', { ...claims, rounds: { first: 0, standard: 9 } });
  aSecondLater();
  expect(await knownLanes(db)).toMatchObject([{ standard_round: 9 }]);
});
