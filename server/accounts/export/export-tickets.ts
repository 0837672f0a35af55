import { limits } from '#contract';
import type { Caller } from '#server/auth/session.ts';
import type { TokenClaims } from '#server/auth/session-token.ts';
import type { App } from '#server/http/app-type.ts';

/** Not that of sessions: a ticket is no token of a session, and the other way round. */
const audience = 'packshot-export';

/** Signs the addresses of exports: each works for a short time, in the session that has proved who it is. */
export function createExportTickets({ jwt }: Pick<App, 'jwt'>) {
  return {
    /** Signs a ticket for a caller who has entered password and code. */
    issue({ sellerId, sessionId }: Caller): { ticket: string; expiresAt: Date } {
      const ticket = jwt.sign(
        { sub: sellerId, sid: sessionId },
        { aud: audience, expiresIn: limits.exportTicketSeconds },
      );
      return { ticket, expiresAt: new Date(jwt.decode<TokenClaims>(ticket)!.exp * 1_000) };
    },
    /** Whether a ticket is valid, and the caller's own. */
    isOf({ sellerId, sessionId }: Caller, ticket: string): boolean {
      try {
        const { sub, sid } = jwt.verify<TokenClaims>(ticket, { allowedAud: audience });
        return sub === sellerId && sid === sessionId;
      } catch {
        return false;
      }
    },
  };
}
