import { randomUUID } from 'node:crypto';
import { limits } from '../contract/index.ts';
import type { Data } from './connect.ts';
import type { SessionRow } from './session.ts';

const expiry = () => new Date(Date.now() + limits.sessionSeconds * 1_000);

/** Begins a session that ends after an hour unless it is extended. */
export async function startSession(data: Data, userId: string): Promise<SessionRow> {
  const session: SessionRow = {
    _id: randomUUID(),
    user_id: userId,
    created_at: new Date(),
    expires_at: expiry(),
  };
  await data.sessions.create(session);
  return session;
}

/** @returns the session if it has not ended, else null */
export async function findSession(data: Data, sessionId: string): Promise<SessionRow | null> {
  return data.sessions.findOne({ _id: sessionId, expires_at: { $gt: new Date() } }).lean();
}

/** @returns those of the sessions that have ended */
export async function findEndedSessions(data: Data, sessionIds: string[]): Promise<string[]> {
  const open = await data.sessions
    .find({ _id: { $in: sessionIds }, expires_at: { $gt: new Date() } })
    .select({ _id: 1 })
    .lean();
  const openIds = new Set(open.map(({ _id }) => _id));
  return sessionIds.filter((id) => !openIds.has(id));
}

/** Gives a session that is in use another hour. @returns the session, or null when it has ended */
export async function extendSession(data: Data, sessionId: string): Promise<SessionRow | null> {
  return data.sessions
    .findOneAndUpdate(
      { _id: sessionId, expires_at: { $gt: new Date() } },
      { $set: { expires_at: expiry() } },
      { returnDocument: 'after' },
    )
    .lean();
}

/** Ends a session: its tokens are refused from now on. */
export async function endSession(data: Data, sessionId: string): Promise<void> {
  await data.sessions.deleteOne({ _id: sessionId });
}
