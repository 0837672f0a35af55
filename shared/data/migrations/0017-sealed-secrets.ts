import type { Migration } from './migration.ts';

/** The index by which a server finds two-factor secrets that are not sealed with the present key. */
export const sealedSecrets: Migration = {
  name: '0017-sealed-secrets',
  async up() {},
  indexes: { users: ['two_factor.secret_1'] },
};
