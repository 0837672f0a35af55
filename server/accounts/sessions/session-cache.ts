import type { Db } from '#shared/data/db.ts';
import type { SessionRow } from '#shared/data/sessions.ts';
import { extendSession, findSession } from '#shared/data/sessions.ts';

/** How long a session that was looked up is believed, in ms, should the word of its end be lost. */
const believedMs = 5_000;

/** A session that is used is noted as used this often, in ms. */
const noteMs = 20_000;

/** The sessions that a server has looked up lately: most requests ask the database nothing about theirs. */
export interface OpenSessions {
  /** @returns the session if it has not ended, else null */
  find(sessionId: string): Promise<SessionRow | null>;
  /** Notes that a session is in use, so that it does not end for idleness. @returns null when it has ended */
  use(session: SessionRow): Promise<SessionRow | null>;
  /** Forgets a session that has ended or was changed: it is looked up again. */
  forget(sessionId: string): void;
}

/** Begins with none. */
export function createOpenSessions(db: Db): OpenSessions {
  const known = new Map<string, { session: SessionRow; until: number }>();
  const underWay = new Map<string, Promise<SessionRow | null>>();
  let forgotten = 0;

  function remember(session: SessionRow): void {
    const now = Date.now();
    // Old entries are at the front, since a map keeps the order in which they were put.
    for (const [id, entry] of known) {
      if (entry.until > now) break;
      known.delete(id);
    }
    known.delete(session._id);
    known.set(session._id, { session, until: Math.min(now + believedMs, session.expires_at.getTime()) });
  }

  /** Asks the database, and believes it unless a session ended while the answer was on its way. */
  async function ask(query: Promise<SessionRow | null>): Promise<SessionRow | null> {
    const before = forgotten;
    const session = await query;
    if (session && before === forgotten) remember(session);
    return session;
  }

  return {
    async find(sessionId) {
      const hit = known.get(sessionId);
      if (hit && hit.until > Date.now()) return hit.session;
      return ask(findSession(db, sessionId));
    },
    async use(session) {
      if (Date.now() - session.last_seen_at.getTime() < noteMs) return session;
      // A page asks for much at once: one of its requests notes it for all.
      let extension = underWay.get(session._id);
      if (!extension) {
        extension = ask(extendSession(db, session._id)).finally(() => underWay.delete(session._id));
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
