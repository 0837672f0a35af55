import { generationStates } from '#contract';
import { userSettings } from './accounts/user-settings.ts';
import { deletedBatches } from './batches/schema.ts';
import { creditEntries } from './billing/credit-entries.ts';
import type { Collection } from './collection.ts';
import type { Db } from './db.ts';
import { generations } from './generations/schema.ts';
import { notifications } from './notifications.ts';
import { attempts } from './operator/attempt-records.ts';
import { ownPresets } from './own-presets.ts';
import { profiles } from './profiles/schema.ts';
import { projects } from './projects.ts';
import { removeRow } from './remove-row.ts';
import { removeDeliveriesAbout } from './webhooks/deliveries.ts';

/*
 * Statements on the age of what is in the sandbox (docs/decisions/0139-a-sandbox-beside-what-is-real.md). All take its handle.
 */

/** An old test image: what its files and its seller are found by. */
export interface OldTest {
  _id: string;
  profile: string;
  photo_set: string;
}

/** @returns test images that were asked for before a moment, in any state, at most `limit` */
export function findOldTests(sandbox: Db, before: Date, limit: number): Promise<OldTest[]> {
  return (
    generations(sandbox)
      // An index has the states first.
      .find({ state: { $in: [...generationStates] }, created_at: { $lt: before } })
      .limit(limit)
      .select({ profile: 1, photo_set: 1 })
      .lean<OldTest[]>()
  );
}

/** Removes what is beside the row of an old test image: events for webhooks, ledger entries, attempts, and projects that were not used since. */
export async function removeBesideTest(
  sandbox: Db,
  { _id: id, profile }: OldTest,
  before: Date,
): Promise<void> {
  await creditEntries(sandbox).deleteMany({ key: id });
  await removeDeliveriesAbout(sandbox, profile, id);
  await attempts(sandbox).deleteMany({ generation: id });
  await projects(sandbox).deleteMany({ profile, updated_at: { $lt: before } });
}

/** Removes a test seller with what is left of it, when its images and batches are removed. */
export async function removeTestSeller(sandbox: Db, id: string): Promise<void> {
  await removeRow(userSettings(sandbox), { _id: id });
  for (const collection of [
    creditEntries,
    notifications,
    projects,
    ownPresets,
    deletedBatches,
  ] as Collection[]) {
    await collection(sandbox).deleteMany({ profile: id });
  }
  await removeRow(profiles(sandbox), { _id: id });
}
