import type { ApiKeyMode } from '#contract';
import { userSettings } from './accounts/user-settings.ts';
import { type Db, isDuplicateKey } from './db.ts';
import { profiles } from './profiles/schema.ts';

export { sandboxOf } from './collection.ts';

/*
 * The test seller of an account: the owner of everything in its part of the sandbox. Its id is another one than the account's,
 * so that nothing of it is found with the id of the account, and nothing of the account with its own
 * (docs/decisions/0139-a-sandbox-beside-what-is-real.md).
 */

const idPrefix = 'test_';

/** The id of the test seller of an account. */
export const testSellerOf = (sellerId: string) => `${idPrefix}${sellerId}`;

/** Whether an id is that of a test seller. */
export const isTestSeller = (sellerId: string) => sellerId.startsWith(idPrefix);

/** Whether what a seller has is real, or of the sandbox. */
export const modeOf = (sellerId: string): ApiKeyMode => (isTestSeller(sellerId) ? 'test' : 'live');

/** The account that a seller's id belongs to: of a test seller the one whose it is, else the seller itself. */
export const accountOf = (sellerId: string) =>
  isTestSeller(sellerId) ? sellerId.slice(idPrefix.length) : sellerId;

/** The plan of a test seller ends then: nothing renews it. */
const planEnds = new Date('2999-12-31T00:00:00Z');

/**
 * Inserts the test seller of an account unless it is there. It has the plan that allows most and is never billed.
 * @param sandbox the handle of the sandbox
 */
export async function ensureTestSeller(sandbox: Db, id: string): Promise<void> {
  if (await profiles(sandbox).exists({ _id: id })) return;
  const now = new Date();
  const times = { created_at: now, updated_at: now };
  await unlessThere(() => userSettings(sandbox).create({ _id: id, user_id: id, ...times }));
  await unlessThere(() =>
    profiles(sandbox).create({
      _id: id,
      email: '-',
      full_name: '-',
      email_verified: true,
      subscription_plan: 'enterprise',
      subscription_status: 'active',
      subscription_id: id,
      subscription_data: {
        current_period_start: now,
        current_period_end: planEnds,
        cancel_at_period_end: true,
        is_trial: false,
        plan_since: now,
      },
      ...times,
    }),
  );
}

async function unlessThere(insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
