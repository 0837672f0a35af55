import cookie from '@fastify/cookie';
import jwt from '@fastify/jwt';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { signedInCookie } from '#contract';
import { cookieOf } from '#server/http/cookies.ts';
import { type SessionRow, tokenSeconds } from '#shared/data/accounts/sessions.ts';
import type { Config } from '#shared/platform/config.ts';

/** The claims of a token (docs/sessions.md). */
export interface TokenClaims {
  /** Id of the seller. */
  sub: string;
  /** Id of the session. */
  sid: string;
  aud: string;
  iat: number;
  /** When it expires, in seconds since 1970. */
  exp: number;
}

/** Headers that may carry a token. */
export interface TokenHeaders {
  cookie?: string | undefined;
  authorization?: string | undefined;
}

/** Signs and verifies the tokens of sessions, and sets their cookie. */
export interface SessionTokens {
  /** Signs a token for a session and sets it as the cookie, with {@link signedInCookie}. The cookies expire with the token. */
  issue(reply: FastifyReply, session: SessionRow): { token: string; expiresAt: Date };
  /** @returns the claims of the bearer token, or else of the cookie; null if there is none or it is not valid */
  read(headers: TokenHeaders): TokenClaims | null;
  /** Sets {@link signedInCookie} if a browser with a session has lost it. */
  tellScripts(request: FastifyRequest, reply: FastifyReply, claims: TokenClaims): void;
  /** Deletes the cookies. */
  clear(reply: FastifyReply): void;
}

const audience = 'packshot';

/** Checked tokens whose claims are kept. */
const keptTokens = 1_000;

const expiryOf = ({ exp }: TokenClaims) => new Date(exp * 1_000);

/** Registers the plugins for cookies and JWTs. */
export async function registerSessionTokens(app: FastifyInstance, config: Config): Promise<SessionTokens> {
  const { secure, sessionSecret, sessionSecrets } = config;
  const { name: cookieName, options: cookieOptions } = cookieOf('session', config);
  const readableOptions = { path: '/', sameSite: 'lax', secure } as const;
  await app.register(cookie);
  await app.register(jwt, {
    secret: sessionSecret,
    sign: { algorithm: 'HS256', aud: audience },
    verify: {
      algorithms: ['HS256'],
      allowedAud: audience,
      requiredClaims: ['sub', 'sid', 'aud', 'iat', 'exp'],
    },
  });

  const tokenOf = ({ authorization = '', cookie: cookies = '' }: TokenHeaders) =>
    /^Bearer (.+)$/i.exec(authorization)?.[1] ?? app.parseCookie(cookies)[cookieName];

  const tellScripts = (reply: FastifyReply, expires: Date) =>
    reply.setCookie(signedInCookie, '1', { ...readableOptions, expires });

  /**
   * The claims of tokens that were valid, the oldest first. Whether the session has ended is still looked up. The cache of the plugin
   * would hash the token of each request, which takes longer than all else that is done with a known one.
   */
  const kept = new Map<string, TokenClaims>();
  const keep = (token: string, claims: TokenClaims) => {
    const [oldest] = kept.keys();
    if (kept.size >= keptTokens && oldest !== undefined) kept.delete(oldest);
    kept.set(token, claims);
  };

  /** @throws when the token is not valid with any of the secrets */
  function verify(token: string, [secret, ...others] = sessionSecrets): TokenClaims {
    try {
      return app.jwt.verify<TokenClaims>(token, secret === sessionSecret ? undefined : { key: secret! });
    } catch (error) {
      if (others.length === 0) throw error;
      return verify(token, others);
    }
  }

  return {
    issue(reply, session) {
      const expiresIn = tokenSeconds(session);
      const token = app.jwt.sign({ sub: session.user_id, sid: session._id }, { expiresIn });
      const expiresAt = expiryOf(app.jwt.decode<TokenClaims>(token)!);
      reply.setCookie(cookieName, token, { ...cookieOptions, expires: expiresAt });
      tellScripts(reply, expiresAt);
      return { token, expiresAt };
    },
    read(headers) {
      const token = tokenOf(headers);
      if (!token) return null;
      const known = kept.get(token);
      if (known && Date.now() < known.exp * 1_000) return known;
      try {
        const claims = verify(token);
        if (typeof claims.sid !== 'string' || typeof claims.sub !== 'string') return null;
        keep(token, claims);
        return claims;
      } catch {
        return null;
      }
    },
    tellScripts(request, reply, claims) {
      if (request.cookies[signedInCookie] === undefined) tellScripts(reply, expiryOf(claims));
    },
    clear(reply) {
      reply.clearCookie(cookieName, cookieOptions);
      reply.clearCookie(signedInCookie, readableOptions);
    },
  };
}
