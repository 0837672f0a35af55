import { extendSession, findSession, type SessionRow } from '#shared/data/accounts/sessions.ts';
import type { Db } from '#shared/data/db.ts';

/** How long a session is cached, in ms. Its end is announced to all servers; this bounds the effect of a lost event. */
const cacheMs = 5_000;

/** How often the use of a session is recorded, in ms. */
const recordMs = 20_000;

/** A server's cache of sessions: most requests need no query for theirs. */
export interface OpenSessions {
  /** @returns the session if it has not ended, else null */
  find(sessionId: string): Promise<SessionRow | null>;
  /** Records that a session is in use, which restarts its idle time. @returns null when it has ended */
  use(session: SessionRow): Promise<SessionRow | null>;
  /** Removes a session that has ended or was changed from the cache. */
  forget(sessionId: string): void;
}

/** Creates an empty cache. */
export function createOpenSessions(db: Db): OpenSessions {
  const known = new Map<string, { session: SessionRow; until: number }>();
  const underWay = new Map<string, Promise<SessionRow | null>>();
  let forgotten = 0;

  function remember(session: SessionRow): void {
    const now = Date.now();
    // A map keeps insertion order, so expired entries are at the front.
    for (const [id, entry] of known) {
      if (entry.until > now) break;
      known.delete(id);
    }
    known.delete(session._id);
    known.set(session._id, { session, until: Math.min(now + cacheMs, session.expires_at.getTime()) });
  }

  /** Runs a query and caches its result, unless a session was forgotten meanwhile. */
  async function cached(query: Promise<SessionRow | null>): Promise<SessionRow | null> {
    const before = forgotten;
    const session = await query;
    if (session && before === forgotten) remember(session);
    return session;
  }

  return {
    async find(sessionId) {
      const hit = known.get(sessionId);
      if (hit && hit.until > Date.now()) return hit.session;
      return cached(findSession(db, sessionId));
    },
    async use(session) {
      if (Date.now() - session.last_seen_at.getTime() < recordMs) return session;
      // A page sends many requests at once: one write is enough for all of them.
      let extension = underWay.get(session._id);
      if (!extension) {
        extension = cached(extendSession(db, session._id)).finally(() => underWay.delete(session._id));
        underWay.set(session._id, extension);
      }
      return extension;
    },
    forget(sessionId) {
      forgotten += 1;
      known.delete(sessionId);
    },
  };
}
