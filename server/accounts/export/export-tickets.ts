import { limits } from '#contract';
import { type Caller, sessionIdOf } from '#server/auth/session.ts';
import type { TokenClaims } from '#server/auth/session-token.ts';
import type { App } from '#server/http/app-type.ts';

/** Not that of sessions: a ticket is no token of a session, and the other way round. */
const audience = 'packshot-export';

/** Signs the addresses of exports: each works for a short time, in the session that has proved who it is. */
export function createExportTickets({ jwt }: Pick<App, 'jwt'>) {
  return {
    /** Signs a ticket for a caller who has entered password and code. @param about whose data it is; the caller's unless given */
    issue(caller: Caller, about = caller.sellerId): { ticket: string; expiresAt: Date } {
      const ticket = jwt.sign(
        { sub: caller.sellerId, sid: sessionIdOf(caller), about },
        { aud: audience, expiresIn: limits.exportTicketSeconds },
      );
      return { ticket, expiresAt: new Date(jwt.decode<TokenClaims>(ticket)!.exp * 1_000) };
    },
    /** Whether a ticket is valid, and the caller's own. @param about as of `issue` */
    isOf(caller: Caller, ticket: string, about = caller.sellerId): boolean {
      try {
        const claims = jwt.verify<TokenClaims & { about: string }>(ticket, { allowedAud: audience });
        return claims.sub === caller.sellerId && claims.sid === sessionIdOf(caller) && claims.about === about;
      } catch {
        return false;
      }
    },
  };
}
