import cookie from '@fastify/cookie';
import jwt from '@fastify/jwt';
import type { FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { limits } from '../../shared/contract/index.ts';
import type { SessionRow } from '../../shared/data/session.ts';
import { endSession, extendSession, findSession, startSession } from '../../shared/data/sessions.ts';
import { Refusal } from '../../shared/errors.ts';
import type { ServerContext } from '../context.ts';

/** What the token says (design.md, "Sessions"). */
interface TokenClaims {
  sub: string;
  sid: string;
  aud: string;
  iat: number;
  exp: number;
}

/** Who asks. */
export interface Caller {
  userId: string;
  sessionId: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Begins a session, sets its cookie, and gives its token. */
    signIn(reply: FastifyReply, userId: string): Promise<{ token: string; expiresAt: Date }>;
    /** Ends the session of a request everywhere. */
    signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /** Reads a token from headers as they came, for sockets. @returns null when it is worth nothing */
    callerOf(headers: {
      cookie?: string | undefined;
      authorization?: string | undefined;
    }): Promise<Caller | null>;
    /** Hook for routes that need a session. @throws Refusal UNAUTHENTICATED */
    requireSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
  interface FastifyRequest {
    /** Set behind `requireSession`. */
    caller: Caller;
  }
}

const audience = 'packshot';

/** How long a session that was looked up is believed, in ms, should the word of its end be lost. */
const cacheMs = 5_000;

export const sessions = plugin<{ context: ServerContext }>(async (app, { context }) => {
  const { config, data, relay } = context;
  const secure = config.publicUrl?.startsWith('https://') ?? false;
  const cookieName = secure ? '__Host-packshot' : 'packshot';
  const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const known = new Map<string, { session: SessionRow; until: number }>();

  await app.register(cookie);
  await app.register(jwt, {
    secret: config.sessionSecret,
    sign: { algorithm: 'HS256', aud: audience, expiresIn: limits.sessionSeconds },
    // A token's signature does not change; whether its session has ended is looked up all the same.
    verify: {
      cache: 1_000,
      algorithms: ['HS256'],
      allowedAud: audience,
      requiredClaims: ['sub', 'sid', 'aud', 'iat', 'exp'],
    },
  });
  app.decorateRequest('caller', null as unknown as Caller);
  await relay.onSessionEnd((sessionId) => known.delete(sessionId));

  function issue(reply: FastifyReply, session: SessionRow): string {
    const token = app.jwt.sign({ sub: session.user_id, sid: session._id });
    reply.setCookie(cookieName, token, { ...cookieOptions, expires: session.expires_at });
    return token;
  }

  async function lookUp(sessionId: string): Promise<SessionRow | null> {
    const now = Date.now();
    const hit = known.get(sessionId);
    if (hit && hit.until > now) return hit.session;
    known.delete(sessionId);
    const session = await findSession(data, sessionId);
    if (!session) return null;
    // Old entries are at the front, since a map keeps the order in which they were put.
    for (const [id, entry] of known) {
      if (entry.until > now) break;
      known.delete(id);
    }
    known.set(sessionId, { session, until: Math.min(now + cacheMs, session.expires_at.getTime()) });
    return session;
  }

  async function verified(headers: {
    cookie?: string | undefined;
    authorization?: string | undefined;
  }): Promise<{ claims: TokenClaims; session: SessionRow } | null> {
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    const token = bearer ?? app.parseCookie(headers.cookie ?? '')[cookieName];
    if (!token) return null;
    let claims: TokenClaims;
    try {
      claims = app.jwt.verify<TokenClaims>(token);
    } catch {
      return null;
    }
    if (typeof claims.sid !== 'string' || typeof claims.sub !== 'string') return null;
    const session = await lookUp(claims.sid);
    return session && session.user_id === claims.sub ? { claims, session } : null;
  }

  app.decorate('signIn', async (reply: FastifyReply, userId: string) => {
    const session = await startSession(data, userId);
    return { token: issue(reply, session), expiresAt: session.expires_at };
  });

  app.decorate('signOut', async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await verified(request.headers);
    if (found) {
      await endSession(data, found.session._id);
      known.delete(found.session._id);
      relay.publishSessionEnd(found.session._id);
    }
    reply.clearCookie(cookieName, cookieOptions);
  });

  app.decorate('callerOf', async (headers: Parameters<typeof verified>[0]) => {
    const found = await verified(headers);
    return found && { userId: found.session.user_id, sessionId: found.session._id };
  });

  app.decorate('requireSession', async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await verified(request.headers);
    if (!found) throw new Refusal('UNAUTHENTICATED');
    request.caller = { userId: found.session.user_id, sessionId: found.session._id };
    // Whoever keeps working is not thrown out in the middle: past half its life the token is renewed.
    const secondsLeft = found.claims.exp - Date.now() / 1_000;
    if (secondsLeft < limits.sessionSeconds / 2 && !request.headers.authorization) {
      const extended = await extendSession(data, found.session._id);
      if (!extended) throw new Refusal('UNAUTHENTICATED');
      known.delete(extended._id);
      issue(reply, extended);
    }
  });
});
