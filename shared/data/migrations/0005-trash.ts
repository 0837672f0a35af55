import type { Migration } from './migration.ts';

/**
 * What was deleted and could be undone for seconds is in the trash. Whoever had chosen another time than the default after which a
 * password expires wanted to be made to change it.
 */
export const trash: Migration = {
  name: '0005-trash',
  async up(database) {
    await database
      .collection('generations')
      .updateMany({ 'deletion.stage': 'undoable' }, { $set: { 'deletion.stage': 'trashed' } });
    await database
      .collection('user_settings')
      .updateMany(
        { password_change_forced: { $exists: false }, password_expiry_days: { $nin: [0, 90] } },
        { $set: { password_change_forced: true } },
      );
  },
  indexes: { generations: ['trash'] },
};
