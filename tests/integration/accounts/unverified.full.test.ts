import { expect } from 'vitest';
import { removeIncompleteAccounts } from '#shared/data/accounts/create.ts';
import { removeExpiredAccounts } from '#shared/data/accounts/unverified.ts';
import { connectionOf } from '#shared/data/collection.ts';
import { connectDb } from '#shared/data/connect.ts';
import type { Db } from '#shared/data/db.ts';
import { faultKinds } from '#tests/support/faults.ts';
import type { TestStack } from '#tests/support/stack.ts';
import { ago, day, expectFinishedByNext, expired, lifeMs, manySignedUp, test } from './unverified-steps.ts';

test.for(faultKinds)(
  'a removal with the fault "%s" at any step is finished by the next one',
  async (kind, { stack, crashableDb }) => {
    let at = 0;
    while (await expectFinishedByNext(stack, crashableDb, { kind, at })) {
      at += 1;
      expect(at, 'a removal takes fewer steps than this').toBeLessThan(30);
    }
    expect(at).toBeGreaterThan(5);
  },
);

/** Counts the commands that some work sends to the database. */
async function commandsOf(stack: TestStack, work: (db: Db) => Promise<unknown>): Promise<number> {
  const url = new URL(stack.config.mongodbUrl);
  url.searchParams.set('monitorCommands', 'true');
  const db = await connectDb(url.href);
  let commands = 0;
  connectionOf(db)
    .getClient()
    .on('commandStarted', () => {
      commands += 1;
    });
  await work(db);
  await db.close();
  return commands;
}

test('a round of upkeep sends as many commands for ninety unverified accounts as for ten', async ({
  stack,
}) => {
  const commandsFor = async (count: number) => {
    await stack.models.users.deleteMany({});
    await manySignedUp(stack, count, 60 * 60_000);
    const kept = await commandsOf(stack, async (db) => {
      await removeIncompleteAccounts(db, ago(600_000));
      await removeExpiredAccounts(db, expired(), 500);
    });
    await stack.models.users.updateMany({}, { password_changed_at: ago(lifeMs + day) });
    const removed = await commandsOf(stack, (db) => removeExpiredAccounts(db, expired(), 500));
    expect(await stack.models.users.countDocuments()).toBe(0);
    return { kept, removed };
  };
  const few = await commandsFor(10);
  expect(await commandsFor(90)).toEqual(few);
});
