import type { FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { type ApiScope, limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { deviceOf, type Origin } from '#server/http/device.ts';
import {
  endSession,
  endSessionsOf,
  type SessionFactor,
  type SessionRow,
  startSession,
} from '#shared/data/accounts/sessions.ts';
import { findSettings } from '#shared/data/accounts/user-settings.ts';
import { AppError } from '#shared/platform/errors.ts';
import { createOpenSessions, type OpenSessions } from './session-cache.ts';
import {
  registerSessionTokens,
  type SessionTokens,
  type TokenClaims,
  type TokenHeaders,
} from './session-token.ts';

/** What a request shows to be let in: the session of a person, or a key of a program with what it may do. */
type Principal =
  | { kind: 'session'; id: string }
  | { kind: 'key'; id: string; name: string; scopes: readonly ApiScope[] };

/** The seller of a request, and by what they are known. */
export interface Caller {
  sellerId: string;
  principal: Principal;
}

/** A caller with a session. */
export interface SessionCaller extends Caller {
  principal: Extract<Principal, { kind: 'session' }>;
}

/** The id of a caller's session, for what only a person may do. @throws AppError UNAUTHENTICATED for a key */
export function sessionIdOf({ principal }: Caller): string {
  if (principal.kind !== 'session') throw new AppError('UNAUTHENTICATED');
  return principal.id;
}

/** The API key of a caller, as its images record it; undefined for a session. */
export function apiKeyOf({ principal }: Caller): { id: string; name: string } | undefined {
  return principal.kind === 'key' ? { id: principal.id, name: principal.name } : undefined;
}

/** A new session, for the browser or program that signed in. */
export interface NewSession {
  id: string;
  token: string;
  /** When the token expires. The session ends earlier if it is idle. */
  expiresAt: Date;
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Starts a session and sets its cookie.
     * @param given what was given to sign in, and whether the browser stays signed in
     * @param isStillAllowed called after the session is stored. A change of password at the same time is then either seen
     *   by this check, or ends the new session with all others.
     * @returns null when it is no longer allowed
     */
    signIn(
      request: FastifyRequest,
      reply: FastifyReply,
      sellerId: string,
      given: { factors: SessionFactor[]; staySignedIn: boolean },
      isStillAllowed: () => Promise<boolean>,
    ): Promise<NewSession | null>;
    /** Ends the session of a request on all servers. @returns its caller, null when nobody was signed in */
    signOut(request: FastifyRequest, reply: FastifyReply): Promise<SessionCaller | null>;
    /** Ends a session on all servers at once, sockets included. */
    endSession(sessionId: string): Promise<void>;
    /** Ends all sessions of a seller on all servers at once, sockets included. @param options except: a session to keep */
    endSessions(sellerId: string, options?: { except?: string }): Promise<void>;
    /** Authenticates a socket by its headers. @returns null without a valid token of an open session */
    callerOf(headers: TokenHeaders): Promise<SessionCaller | null>;
    /** Hook for routes that need a session. @throws AppError UNAUTHENTICATED */
    requireSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
  interface FastifyRequest {
    /** Set by `requireSession` and `requireKey`. */
    caller: Caller;
    /** Device and network address of the client. */
    from: Origin;
  }
}

/** What sessions are made of. */
interface SessionParts extends Pick<ServerContext, 'db' | 'relay'> {
  tokens: SessionTokens;
  open: OpenSessions;
}

/** Sign-in, sign-out and authentication for all routes (docs/sessions.md). */
export const sessions = plugin<{ context: ServerContext }>(async (app, { context }) => {
  const { config, db, relay } = context;
  const open = createOpenSessions(db);
  const tokens = await registerSessionTokens(app, config);
  const parts: SessionParts = { db, relay, tokens, open };
  await relay.onSessionEnd((sessionId) => open.forget(sessionId));

  app.decorateRequest('caller', null as unknown as Caller);
  app.decorateRequest('from', {
    getter(this: FastifyRequest) {
      return { device: deviceOf(this.headers['user-agent']), address: this.ip };
    },
  });
  app.decorate('signIn', (request, reply, sellerId, given, isStillAllowed) =>
    signIn(parts, request, reply, sellerId, given, isStillAllowed),
  );
  app.decorate('signOut', (request, reply) => signOut(parts, request, reply));
  app.decorate('endSession', (sessionId) => endOne(parts, sessionId));
  app.decorate('endSessions', (sellerId, options = {}) => endAll(parts, sellerId, options));
  app.decorate('callerOf', async (headers) => {
    const found = await authenticate(parts, headers);
    return found && callerIn(found.session);
  });
  app.decorate('requireSession', (request, reply) => requireSession(parts, request, reply));
});

async function signIn(
  { db, tokens }: SessionParts,
  request: FastifyRequest,
  reply: FastifyReply,
  sellerId: string,
  { factors, staySignedIn }: { factors: SessionFactor[]; staySignedIn: boolean },
  isStillAllowed: () => Promise<boolean>,
): Promise<NewSession | null> {
  const settings = await findSettings(db, sellerId);
  if (!settings) return null;
  const session = await startSession(db, sellerId, {
    ...request.from,
    ...(staySignedIn
      ? { idle_minutes: limits.staySignedInDays * 1_440, stays_signed_in: true }
      : { idle_minutes: settings.session_timeout }),
    factors,
  });
  if (!(await isStillAllowed())) {
    await endSession(db, session._id);
    return null;
  }
  return { id: session._id, ...tokens.issue(reply, session) };
}

async function signOut(
  parts: SessionParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionCaller | null> {
  const found = await authenticate(parts, request.headers);
  parts.tokens.clear(reply);
  // Browsers cache images; the next person at this browser must not find them.
  reply.header('clear-site-data', '"cache"');
  if (!found) return null;
  await endOne(parts, found.session._id);
  return callerIn(found.session);
}

async function endOne(parts: SessionParts, sessionId: string): Promise<void> {
  await endSession(parts.db, sessionId);
  announceEnd(parts, sessionId);
}

async function endAll(parts: SessionParts, sellerId: string, options: { except?: string }): Promise<void> {
  for (const sessionId of await endSessionsOf(parts.db, sellerId, options)) announceEnd(parts, sessionId);
}

function announceEnd({ open, relay }: SessionParts, sessionId: string): void {
  open.forget(sessionId);
  relay.publishSessionEnd(sessionId);
}

async function requireSession(
  parts: SessionParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const found = await authenticate(parts, request.headers);
  const session = found && (await parts.open.use(found.session));
  if (!session) throw new AppError('UNAUTHENTICATED', keyMessage(request.headers));
  request.caller = callerIn(session);
  // A browser's token is renewed in time, so that nobody is signed out in the middle of their work or before the idle time.
  const ageSeconds = Date.now() / 1_000 - found.claims.iat;
  const isBrowser = !request.headers.authorization;
  if (!isBrowser) return;
  if (ageSeconds > limits.sessionSeconds / 2) parts.tokens.issue(reply, session);
  else parts.tokens.tellScripts(request, reply, found.claims);
}

/** @returns null without a valid token of an open session */
async function authenticate(
  { tokens, open }: SessionParts,
  headers: TokenHeaders,
): Promise<{ claims: TokenClaims; session: SessionRow } | null> {
  const claims = tokens.read(headers);
  if (!claims) return null;
  const session = await open.find(claims.sid);
  return session && session.user_id === claims.sub ? { claims, session } : null;
}

function callerIn(session: SessionRow): SessionCaller {
  return { sellerId: session.user_id, principal: { kind: 'session', id: session._id } };
}

/** What a program is told that sends its key to a route for people. */
function keyMessage({ authorization = '' }: TokenHeaders): { message: string } | undefined {
  if (!/^Bearer pk_/i.test(authorization)) return undefined;
  return { message: 'API keys work on addresses that begin with /api/v1 only.' };
}
