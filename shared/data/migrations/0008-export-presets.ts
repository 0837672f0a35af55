import type { Migration } from './migration.ts';

/** The collection of sellers' own export presets. Its unique indexes need no `up`: no process of an older version writes there. */
export const exportPresets: Migration = {
  name: '0008-export-presets',
  indexes: { export_presets: ['profile_1_slot_1', 'profile_1_name_key_1'] },
};
