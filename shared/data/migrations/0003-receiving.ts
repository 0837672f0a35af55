import type { Migration } from './migration.ts';

/** Before the state `receiving`, generations whose request was under way were `queued` without `admitted_at`. */
export const receiving: Migration = {
  name: '0003-receiving',
  async up(database) {
    const generations = database.collection('generations');
    await generations.updateMany(
      { admitted_at: { $exists: true } },
      { $rename: { admitted_at: 'queued_at' } },
    );
    await generations.updateMany({ state: 'queued', queued_at: null }, { $set: { state: 'receiving' } });
  },
};
