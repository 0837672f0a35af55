import { newId } from '#shared/data/db.ts';
import type { Migration } from './migration.ts';

/**
 * Binds the role of each operator to the two-factor sign-in that is on now, and adds the index by which upkeep finds removals
 * of two-factor sign-in.
 */
export const operatorFactors: Migration = {
  name: '0018-operator-factors',
  async up(database) {
    const profiles = database.collection<{ _id: string }>('profiles');
    const users = database.collection<{ _id: string; two_factor_id?: string | null }>('users');
    const unbound = { operator_since: { $exists: true }, operator_factor: { $exists: false } };
    for await (const { _id } of profiles.find(unbound, { projection: { _id: 1 } })) {
      await users.updateOne(
        { _id, two_factor: { $ne: null }, two_factor_id: null },
        { $set: { two_factor_id: newId() } },
      );
      const factor = (await users.findOne({ _id }))?.two_factor_id;
      // Without two-factor sign-in the role is suspended until it is granted again.
      if (factor) await profiles.updateOne({ _id }, { $set: { operator_factor: factor } });
    }
  },
  indexes: { users: ['two_factor_removal.due_at_1'] },
};
