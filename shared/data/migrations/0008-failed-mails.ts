import type { Migration } from './migration.ts';

const dayMs = 86_400_000;

/** Mails say themselves when they are removed, because those that were given up are kept for longer. */
export const failedMails: Migration = {
  name: '0008-failed-mails',
  async up(database) {
    const mails = database.collection('mails');
    const exists = (await database.listCollections({ name: 'mails' }).toArray()).length > 0;
    if (!exists) return;
    const indexes = await mails.indexes();
    if (indexes.some(({ name }) => name === 'forget')) await mails.dropIndex('forget');
    await mails.updateMany({ ended_at: { $ne: null }, remove_at: { $exists: false } }, [
      { $set: { remove_at: { $add: ['$ended_at', dayMs] } } },
    ]);
  },
};
