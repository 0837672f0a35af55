import type { Migration } from './migration.ts';

/** The indexes by which a passkey finds its account, and old challenges are removed. */
export const passkeys: Migration = {
  name: '0019-passkeys',
  async up() {},
  indexes: { users: ['two_factor.passkeys.credential_1'], passkey_challenges: ['expires_at_1'] },
};
