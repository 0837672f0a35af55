import { type Database, dropIndexesOver, type Migration } from './migration.ts';

/** Fields of documents, by collection: the old name and the new one. */
const renamedFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  profiles: { notices: 'pending_emails', billing_busy_until: 'billing_lease_until' },
  stripe_events: { busy_until: 'lease_until' },
};

/** Lists of a profile whose entries have `posted` instead of `entered`. */
const pendingEntryLists = ['grants', 'forfeits', 'refunds', 'reinstates'];

/** Gives stored fields the names that the code uses: `posted`, `pending_emails`, and `lease_until` for every lease. */
export const fieldNames: Migration = {
  name: '0002-field-names',
  async up(database) {
    for (const [collection, fields] of Object.entries(renamedFields)) {
      for (const [from, to] of Object.entries(fields)) {
        await database
          .collection(collection)
          .updateMany({ [from]: { $exists: true } }, { $rename: { [from]: to } });
      }
    }
    for (const list of pendingEntryLists) {
      await renameEntered(database, list);
      await dropIndexesOver(database, 'profiles', `${list}.entered`);
    }
    await dropIndexesOver(database, 'profiles', 'notices.at');
  },
};

/** `$rename` does not reach into arrays, so each value is written under the new name before the old name is removed. */
async function renameEntered(database: Database, list: string): Promise<void> {
  const profiles = database.collection('profiles');
  for (const posted of [true, false]) {
    await profiles.updateMany(
      { [`${list}.entered`]: posted },
      { $set: { [`${list}.$[entry].posted`]: posted } },
      { arrayFilters: [{ 'entry.entered': posted }] },
    );
  }
  await profiles.updateMany(
    { [`${list}.entered`]: { $exists: true } },
    { $unset: { [`${list}.$[].entered`]: 1 } },
  );
}
