/** Accounts for the sellers of campaigns, made in the database. */
import { randomUUID } from 'node:crypto';
import { defaultPlan, type PlanId } from '#contract';
import { createAccount } from '#shared/data/accounts/create.ts';
import { startSession } from '#shared/data/accounts/sessions.ts';
import { saveTwoFactorSetup, turnTwoFactorOn } from '#shared/data/accounts/two-factor.ts';
import type { Db } from '#shared/data/db.ts';
import { grantOperator } from '#shared/data/operator/operators.ts';
import type { Config } from '#shared/platform/config.ts';
import { tokenOf } from '#tests/support/session-token.ts';

/** What accounts are made in. */
interface Place {
  db: Db;
  config: Pick<Config, 'sessionSecret'>;
}

const from = { device: 'campaign', address: '127.0.0.1', idle_minutes: 60 };

/** @returns the id of a new account with a confirmed address, whose plan is not paid */
async function createSeller(db: Db, plan: PlanId, passwordHash: string): Promise<string> {
  const account = await createAccount(db, {
    email: `campaign-${randomUUID()}@packshot.example`,
    fullName: 'Campaign Seller',
    passwordHash,
    plan,
    verified: true,
  });
  return account!.user._id;
}

/** Of accounts whose password nobody gives. */
const noPassword = 'none';

/**
 * Makes an account with a confirmed address, whose plan is not paid, and a session. @returns the seller's id and token
 * @param passwordHash of a password that is compared with what is sent
 */
export async function openAccount(
  { db, config }: Place,
  plan: PlanId,
  passwordHash = noPassword,
): Promise<{ id: string; token: string }> {
  const id = await createSeller(db, plan, passwordHash);
  const session = await startSession(db, id, { ...from, factors: ['password'] });
  return { id, token: tokenOf(session, config.sessionSecret) };
}

/** Makes an operator with a session in which a code was given just now. @returns its token */
export async function openOperator({ db, config }: Place): Promise<{ token: string }> {
  const id = await createSeller(db, defaultPlan, noPassword);
  // Nobody gives codes of it.
  const stored = 'none';
  await saveTwoFactorSetup(db, id, stored);
  await turnTwoFactorOn(db, id, { stored, step: 0, recoveryCodeHashes: [] });
  await grantOperator(db, id);
  const session = await startSession(db, id, { ...from, factors: ['password', 'code'] });
  return { token: tokenOf(session, config.sessionSecret) };
}
