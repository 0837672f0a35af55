import { limits } from '#contract';
import type { Db } from '../db.ts';
import { sessions } from './sessions.ts';

/*
 * Passwords and codes that are entered in a session which is already signed in (docs/decisions/0085-secrets.md). Each is
 * counted before it is checked, so that no number of requests at once gets more of them than are allowed.
 */

/** A secret of an account that a session may be asked for. */
export type GuessedSecret = 'password' | 'code';

/** A guess that was counted and may be checked now. */
export interface Guess {
  /** Guesses of this secret since the last right one, with this one. */
  count: number;
  /** Until when the session is locked if this guess is wrong; null if it does not lock. */
  locksUntil: Date | null;
}

/** @returns until when a session is locked; null when it is not, or has ended */
export async function sessionLockedUntil(db: Db, sessionId: string): Promise<Date | null> {
  const session = await sessions(db)
    .findOne({ _id: sessionId, locked_until: { $gt: new Date() } })
    .select({ locked_until: 1 })
    .lean();
  return session?.locked_until ?? null;
}

/**
 * Counts a guess. Each `limits.lockOutFailures`-th one locks the session before it is checked; a right one unlocks it.
 * @returns null when the session is locked or has ended: then nothing may be checked
 */
export async function takeGuess(db: Db, sessionId: string, secret: GuessedSecret): Promise<Guess | null> {
  const now = new Date();
  const until = new Date(now.getTime() + limits.lockOutMinutes * 60_000);
  const count = `wrong.${secret}`;
  const locks = { $eq: [{ $mod: [`$${count}`, limits.lockOutFailures] }, 0] };
  const session = await sessions(db)
    .findOneAndUpdate(
      {
        _id: sessionId,
        expires_at: { $gt: now },
        $or: [{ locked_until: null }, { locked_until: { $lte: now } }],
      },
      [
        { $set: { [count]: { $add: [{ $ifNull: [`$${count}`, 0] }, 1] } } },
        { $set: { locked_until: { $cond: [locks, until, null] } } },
      ],
      { updatePipeline: true, returnDocument: 'after' },
    )
    .lean();
  return session && { count: session.wrong[secret], locksUntil: session.locked_until };
}

/**
 * Ends a guess that was not wrong.
 * @param outcome `right` sets the count to zero; `unchecked` takes the guess back, because it could not be checked
 */
export async function endGuess(
  db: Db,
  sessionId: string,
  secret: GuessedSecret,
  { locksUntil }: Guess,
  outcome: 'right' | 'unchecked',
): Promise<void> {
  const field = `wrong.${secret}`;

  await sessions(db).updateOne(
    { _id: sessionId },
    outcome === 'right' ? { $set: { [field]: 0 } } : { $inc: { [field]: -1 } },
  );
  if (!locksUntil) return;
  // Only its own lock: meanwhile a guess of the other secret may have locked the session.
  await sessions(db).updateOne(
    { _id: sessionId, locked_until: locksUntil },
    { $set: { locked_until: null } },
  );
}
