/** Accounts for the sellers of campaigns, made in the database. */
import { randomUUID } from 'node:crypto';
import type { PlanId } from '#contract';
import { createAccount } from '#shared/data/accounts/create.ts';
import { startSession } from '#shared/data/accounts/sessions.ts';
import type { Db } from '#shared/data/db.ts';
import type { Config } from '#shared/platform/config.ts';
import { tokenOf } from '#tests/support/session-token.ts';

/** Makes an account with a confirmed address, whose plan is not paid, and a session. @returns the seller's id and token */
export async function openAccount(
  { db, config }: { db: Db; config: Pick<Config, 'sessionSecret'> },
  plan: PlanId,
): Promise<{ id: string; token: string }> {
  const account = await createAccount(db, {
    email: `campaign-${randomUUID()}@packshot.example`,
    fullName: 'Campaign Seller',
    // Nobody signs in with it.
    passwordHash: 'none',
    plan,
    verified: true,
  });
  const id = account!.user._id;
  const from = { device: 'campaign', address: '127.0.0.1', idle_minutes: 60 };
  const session = await startSession(db, id, { ...from, factors: ['password'] });
  return { id, token: tokenOf(session, config.sessionSecret) };
}
