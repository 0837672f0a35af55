import { mayEnqueue, waitingOnHold } from '#shared/credits/batch-holds.ts';
import { findUnendedBatchesOf } from '#shared/data/batches/batches.ts';
import { listKeptFiles } from '#shared/data/batches/files.ts';
import { countWaiting } from '#shared/data/batches/items.ts';
import type { Db } from '#shared/data/db.ts';
import { countFilesIn } from '#shared/data/generations/batches.ts';
import type { ProfileRow } from '#shared/data/profiles/schema.ts';
import type { Finding } from './finding.ts';

/** A finding about a batch of a seller. */
interface BatchFinding {
  /** The seller's id. */
  profile: string;
  finding: Finding;
}

/** The number of files that is kept for a batch is the one that a count gives. */
export async function auditBatchFiles(db: Db, profiles: readonly ProfileRow[]): Promise<BatchFinding[]> {
  const ids = profiles.map(({ _id }) => _id);
  const findings: BatchFinding[] = [];
  for (const { _id: id, profile, files } of await listKeptFiles(db, ids)) {
    const { available, approved } = await countFilesIn(db, id);
    if (available === files!.available && approved === files!.approved) continue;
    const problem = `${files!.available} images and ${files!.approved} approved ones are kept for the batch, but it has ${available} and ${approved}`;
    findings.push({ profile, finding: { id, problem } });
  }
  return findings;
}

/**
 * As many images are on hold for a batch that runs as wait in it, at most as many for one that is paused, and none for any
 * other.
 */
export async function auditBatches(db: Db, profiles: readonly ProfileRow[]): Promise<BatchFinding[]> {
  const batches = await findUnendedBatchesOf(
    db,
    profiles.map(({ _id }) => _id),
  );
  const waiting = await countWaiting(
    db,
    batches.map(({ _id }) => _id),
  );
  return profiles.flatMap((profile) => {
    const own = batches.filter((batch) => batch.profile === profile._id).map(({ _id }) => _id);
    const held = profile.holds.flatMap((hold) => (hold.waiting ? (hold.batch ?? []) : []));
    return [...new Set([...own, ...held])].flatMap((id) => {
      const onHold = waitingOnHold(profile, id);
      const batch = batches.find(({ _id }) => _id === id);
      const expected = batch && mayEnqueue(batch) ? (waiting.get(id) ?? 0) : 0;
      if (onHold === expected) return [];
      // The holds of a paused batch end with the plan or the period in which they were placed.
      if (batch?.state === 'paused' && onHold < expected) return [];
      const problem = `${onHold} images of the batch are on hold, but ${expected} wait`;
      return [{ profile: profile._id, finding: { id, problem } }];
    });
  });
}
