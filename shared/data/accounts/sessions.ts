import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { limits } from '#contract';
import { removeRow } from '#shared/data/remove-row.ts';
import { collection } from '../collection.ts';
import type { Db } from '../db.ts';
import { date, nullableDate, number, optional, type Row, rowOptions, text } from '../row.ts';

/** What somebody can show to be let in: the password, a code of the authenticator app, a recovery code, or a passkey. */
const sessionFactors = ['password', 'code', 'recovery', 'passkey'] as const;
export type SessionFactor = (typeof sessionFactors)[number];

const session = {
  /** The token's `sid`. */
  _id: text,
  user_id: text,
  /** Browser and operating system, to be displayed. */
  device: text,
  /** The IP address that signed in. */
  address: text,
  /** Minutes of inactivity after which it ends: the seller's `session_timeout`, or those of a browser that stays signed in. */
  idle_minutes: number,
  /** The seller chose to stay signed in in this browser. Absent otherwise. */
  stays_signed_in: { type: Boolean, ...optional },
  last_seen_at: date,
  created_at: date,
  expires_at: date,
  /** What was given in this session, at sign-in and since. */
  factors: { type: [{ type: String, enum: sessionFactors }], required: true },
  /** When one of them was last given. */
  confirmed_at: date,
  /** Wrong passwords and codes in this session since the last right one; see session-guesses.ts. */
  wrong: { password: { type: Number, default: 0 }, code: { type: Number, default: 0 } },
  /** Until when this session is asked for neither; null in most. */
  locked_until: nullableDate,
};

/** One sign-in. A token is valid only while its session is. */
export interface SessionRow extends Row<typeof session> {}

const sessionSchema = new Schema<SessionRow>(session, rowOptions);
sessionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
sessionSchema.index({ user_id: 1 });

export const sessions = collection<SessionRow>('sessions', sessionSchema);

/** How long a session lasts at most, in ms. */
export const sessionLifeMs = limits.sessionDays * 86_400_000;

/**
 * How long a token of a session is valid, in seconds. A browser's token is renewed when it is used after half of
 * `limits.sessionSeconds`, and where the browser stays signed in, it must then outlive the idle time.
 */
export function tokenSeconds({ idle_minutes: idle, stays_signed_in: stays }: SessionIdle): number {
  return stays ? idle * 60 + limits.sessionSeconds : limits.sessionSeconds;
}

type SessionIdle = Pick<SessionRow, 'idle_minutes' | 'stays_signed_in'>;

/** When a session ends unless it is used again: after the idle time, and not after its token expires. */
const expiry = (from: SessionIdle) =>
  new Date(Date.now() + Math.min(tokenSeconds(from), from.idle_minutes * 60) * 1_000);

/** What a session begins with. */
export interface SessionStart extends Pick<SessionRow, 'device' | 'address'>, SessionIdle {
  factors: SessionFactor[];
}

/** Begins a session. @param from the device and IP address, the seller's idle time in minutes, and what was given */
export async function startSession(db: Db, sellerId: string, from: SessionStart): Promise<SessionRow> {
  const now = new Date();
  const session: SessionRow = {
    _id: randomUUID(),
    user_id: sellerId,
    ...from,
    last_seen_at: now,
    created_at: now,
    expires_at: expiry(from),
    confirmed_at: now,
    wrong: { password: 0, code: 0 },
    locked_until: null,
  };
  await sessions(db).create(session);
  return session;
}

/** Records that a secret of the account was given in an open session. */
export async function confirmSession(db: Db, sessionId: string, factor: SessionFactor): Promise<void> {
  const before = { $ifNull: ['$factors', ['password']] };
  await sessions(db).updateOne(
    { _id: sessionId },
    [{ $set: { factors: { $setUnion: [before, [factor]] }, confirmed_at: new Date() } }],
    { updatePipeline: true },
  );
}

/** Whether more than the password was given in a session. */
export function hasSecondFactor({ factors = ['password'] }: Pick<SessionRow, 'factors'>): boolean {
  return factors.some((factor) => factor !== 'password');
}

/** @returns the session if it has not ended, else null */
export async function findSession(db: Db, sessionId: string): Promise<SessionRow | null> {
  return sessions(db)
    .findOne({ _id: sessionId, expires_at: { $gt: new Date() } })
    .lean();
}

/** @returns those of the sessions that have ended */
export async function findEndedSessions(db: Db, sessionIds: string[]): Promise<string[]> {
  const open = await sessions(db)
    .find({ _id: { $in: sessionIds }, expires_at: { $gt: new Date() } })
    .select({ _id: 1 })
    .lean();
  const openIds = new Set(open.map(({ _id }) => _id));
  return sessionIds.filter((id) => !openIds.has(id));
}

/**
 * Records that a session is in use: its idle time begins again, up to the maximum age of a session.
 * @returns the session, or null when it has ended
 */
export async function extendSession(db: Db, sessionId: string): Promise<SessionRow | null> {
  const now = new Date();
  // Uses the stored idle time: the seller may have changed it since the session was read.
  const idle = { $multiply: ['$idle_minutes', 60] };
  const seconds = {
    $cond: [{ $eq: ['$stays_signed_in', true] }, idle, { $min: [limits.sessionSeconds, idle] }],
  };
  const expires = {
    $min: [{ $add: [now, { $multiply: [seconds, 1_000] }] }, { $add: ['$created_at', sessionLifeMs] }],
  };
  return sessions(db)
    .findOneAndUpdate(
      {
        _id: sessionId,
        expires_at: { $gt: now },
        created_at: { $gt: new Date(now.getTime() - sessionLifeMs) },
      },
      [{ $set: { last_seen_at: now, expires_at: expires } }],
      { updatePipeline: true, returnDocument: 'after' },
    )
    .lean();
}

/** Ends a session. Its tokens are refused from now on. */
export async function endSession(db: Db, sessionId: string): Promise<void> {
  await removeRow(sessions(db), { _id: sessionId });
}

/** Ends a seller's sessions. @param options except: the id of one to keep. @returns the ids of the ended ones */
export async function endSessionsOf(
  db: Db,
  sellerId: string,
  { except }: { except?: string | undefined } = {},
): Promise<string[]> {
  const which = except === undefined ? { user_id: sellerId } : { user_id: sellerId, _id: { $ne: except } };
  const rows = await sessions(db).find(which).select({ _id: 1 }).lean();
  const ids = rows.map(({ _id }) => _id);
  await sessions(db).deleteMany({ _id: { $in: ids } });
  return ids;
}

/** @returns a seller's sessions that have not ended, most recently used first */
export function listSessions(db: Db, sellerId: string): Promise<SessionRow[]> {
  return sessions(db)
    .find({ user_id: sellerId, expires_at: { $gt: new Date() } })
    .sort({ last_seen_at: -1 })
    .lean();
}

/** @returns whether a session belongs to a seller */
export async function isSessionOf(db: Db, sessionId: string, sellerId: string): Promise<boolean> {
  return (await sessions(db).exists({ _id: sessionId, user_id: sellerId })) !== null;
}
