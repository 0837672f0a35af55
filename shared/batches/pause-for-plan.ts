import { mayGenerate, refusalByPlan } from '#shared/credits/holds.ts';
import { pauseBatch } from '#shared/data/batches/batches.ts';
import type { Db } from '#shared/data/db.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';

/** Pauses a batch of which no image may begin now, and says why. Idempotent; one that was paused before gets the reason. */
export async function pauseForPlan(db: Db, profile: ProfileRow, batchId: string): Promise<void> {
  await pauseBatch(db, batchId, reasonOf(profile));
}

function reasonOf(profile: ProfileRow): string {
  if (!mayGenerate(profile, new Date())) return refusalByPlan(profile).message;
  return 'The plan or month in which these images were put on hold has ended. Resume puts those that wait on hold again.';
}
