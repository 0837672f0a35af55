import type { OperatorGenerationView } from '#contract';
import { findCreditEntries } from '#shared/data/billing/credit-entries.ts';
import { callCostId, findCallCosts } from '#shared/data/costs/provider-costs.ts';
import type { Db } from '#shared/data/db.ts';
import { findInAnyState } from '#shared/data/generations/find.ts';
import type { GenerationRow } from '#shared/data/generations/schema.ts';
import { findMail } from '#shared/data/mails.ts';
import { findNotification } from '#shared/data/notifications.ts';
import { listAttempts } from '#shared/data/operator/attempt-records.ts';
import { findProfile } from '#shared/data/profiles/find.ts';
import { endKey, generationMailId } from '#shared/generations/notifications.ts';
import { AppError } from '#shared/platform/errors.ts';
import { lifeOf } from './life.ts';
import { presentGenerationForOperator } from './present-generation.ts';

/** Attempts that a page shows. */
const attemptsShown = 50;

/** @throws AppError NOT_FOUND */
export async function findForOperator(db: Db, id: string): Promise<GenerationRow> {
  const row = await findInAnyState(db, id);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

/** The ids of the costs of its last attempts. What an attempt did may be lost, what it cost not. */
function lastCallIds({ _id: id, fence }: GenerationRow): string[] {
  const count = Math.min(fence, attemptsShown);
  return Array.from({ length: count }, (_, index) => callCostId(id, fence - count + 1 + index));
}

/** A generation with its whole life. @throws AppError NOT_FOUND */
export async function generationForOperator(db: Db, id: string): Promise<OperatorGenerationView> {
  const row = await findForOperator(db, id);
  const [profile, attempts, costs, entries, notification, mail] = await Promise.all([
    findProfile(db, row.profile),
    listAttempts(db, id, attemptsShown),
    findCallCosts(db, lastCallIds(row)),
    findCreditEntries(db, [id]),
    findNotification(db, row.profile, endKey(row)),
    findMail(db, generationMailId(id)),
  ]);
  const hold = profile?.holds.find(({ generation }) => generation === id) ?? null;
  const notifiedAt = notification?.created_at ?? null;
  const life = lifeOf({ row, hold, attempts, costs, entries, notifiedAt, mail });
  return presentGenerationForOperator(row, profile?.email ?? '', life);
}
