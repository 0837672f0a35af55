import cookie from '@fastify/cookie';
import jwt from '@fastify/jwt';
import type { FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { limits } from '#contract';
import { createOpenSessions } from '#server/accounts/sessions/session-cache.ts';
import type { ServerContext } from '#server/http/context.ts';
import { deviceOf, type Origin } from '#server/http/device.ts';
import type { SessionRow } from '#shared/data/sessions.ts';
import { endSession, endSessionsOf, startSession } from '#shared/data/sessions.ts';
import { findSettings } from '#shared/data/user-settings.ts';
import { AppError } from '#shared/platform/errors.ts';

/** The claims of the token (docs/sessions.md). */
interface TokenClaims {
  sub: string;
  sid: string;
  aud: string;
  iat: number;
  exp: number;
}

/** Who asks. */
export interface Caller {
  sellerId: string;
  sessionId: string;
}

/** A session as the browser or program that began it gets it. */
export interface NewSession {
  id: string;
  token: string;
  /** When the token ends; a session that is not used ends before it. */
  expiresAt: Date;
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Begins a session, sets its cookie, and gives its token.
     * @param stillRight asked once the session is there: a new password either comes before it, or ends the session
     * @returns null when it is no longer right
     */
    signIn(
      request: FastifyRequest,
      reply: FastifyReply,
      sellerId: string,
      stillRight: () => Promise<boolean>,
    ): Promise<NewSession | null>;
    /** Ends the session of a request everywhere. @returns who asked, null when nobody was signed in */
    signOut(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null>;
    /** Ends a session on all servers at once, sockets included. */
    endSession(sessionId: string): Promise<void>;
    /** Ends a seller's sessions on all servers at once, sockets included. @param options except: a session that stays */
    endSessions(sellerId: string, options?: { except?: string }): Promise<void>;
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
    /** Device and address that it comes from. */
    from: Origin;
  }
}

const audience = 'packshot';

export const sessions = plugin<{ context: ServerContext }>(async (app, { context }) => {
  const { config, db, relay } = context;
  const { secure } = config;
  const cookieName = secure ? '__Host-packshot' : 'packshot';
  const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const open = createOpenSessions(db);

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
  app.decorateRequest('from', {
    getter(this: FastifyRequest) {
      return { device: deviceOf(this.headers['user-agent']), address: this.ip };
    },
  });
  await relay.onSessionEnd((sessionId) => open.forget(sessionId));

  /** Sets the cookie, which lasts as long as its token: idleness is the session's matter, not the browser's. */
  function issue(reply: FastifyReply, session: SessionRow): { token: string; expiresAt: Date } {
    const token = app.jwt.sign({ sub: session.user_id, sid: session._id });
    const expiresAt = new Date(app.jwt.decode<TokenClaims>(token)!.exp * 1_000);
    reply.setCookie(cookieName, token, { ...cookieOptions, expires: expiresAt });
    return { token, expiresAt };
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
    const session = await open.find(claims.sid);
    return session && session.user_id === claims.sub ? { claims, session } : null;
  }

  function announceEnd(sessionId: string): void {
    open.forget(sessionId);
    relay.publishSessionEnd(sessionId);
  }

  app.decorate(
    'signIn',
    async (
      request: FastifyRequest,
      reply: FastifyReply,
      sellerId: string,
      stillRight: () => Promise<boolean>,
    ) => {
      const settings = await findSettings(db, sellerId);
      if (!settings) return null;
      const session = await startSession(db, sellerId, {
        ...request.from,
        idle_minutes: settings.session_timeout,
      });
      if (!(await stillRight())) {
        await endSession(db, session._id);
        return null;
      }
      return { id: session._id, ...issue(reply, session) };
    },
  );

  app.decorate('signOut', async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await verified(request.headers);
    reply.clearCookie(cookieName, cookieOptions);
    // Images are kept by the browser for a while; the next person at it is not to find them.
    reply.header('clear-site-data', '"cache"');
    if (!found) return null;
    await app.endSession(found.session._id);
    return { sellerId: found.session.user_id, sessionId: found.session._id };
  });

  app.decorate('endSession', async (sessionId: string) => {
    await endSession(db, sessionId);
    announceEnd(sessionId);
  });

  app.decorate('endSessions', async (sellerId: string, options: { except?: string } = {}) => {
    for (const id of await endSessionsOf(db, sellerId, options)) announceEnd(id);
  });

  app.decorate('callerOf', async (headers: Parameters<typeof verified>[0]) => {
    const found = await verified(headers);
    return found && { sellerId: found.session.user_id, sessionId: found.session._id };
  });

  app.decorate('requireSession', async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await verified(request.headers);
    const session = found && (await open.use(found.session));
    if (!session) throw new AppError('UNAUTHENTICATED');
    request.caller = { sellerId: session.user_id, sessionId: session._id };
    // Whoever keeps working is not thrown out in the middle: past half its life the token is renewed.
    const secondsLeft = found.claims.exp - Date.now() / 1_000;
    if (secondsLeft < limits.sessionSeconds / 2 && !request.headers.authorization) issue(reply, session);
  });
});
