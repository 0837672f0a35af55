import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract';
import type { App } from '#server/http/app-type.ts';
import type { ServerContext } from '#server/http/context.ts';
import { randomSecret } from '#shared/data/accounts/account-tokens.ts';

/** Who may answer a challenge: the session, or before there is one the browser that asked for it, by a cookie. */
export interface ChallengeOwner {
  /** @returns the owner, to whom the cookie is given if there is no session */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<{ owner: string; sellerId: string | null }>;
  /** @returns null for a browser that has asked for no challenge */
  of(request: FastifyRequest): Promise<string | null>;
}

/** The format of `randomSecret`. */
const wellFormed = /^[\w-]{43}$/;

export const ownerOfSession = (sessionId: string) => `session ${sessionId}`;

export function createChallengeOwner(
  app: Pick<App, 'callerOf'>,
  { config: { secure } }: Pick<ServerContext, 'config'>,
): ChallengeOwner {
  const name = secure ? '__Host-packshot-passkey' : 'packshot-passkey';
  const maxAge = limits.passkeyChallengeSeconds;
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge } as const;
  const secretOf = (request: FastifyRequest) => {
    const secret = request.cookies[name];
    return secret !== undefined && wellFormed.test(secret) ? secret : null;
  };
  const ofBrowser = (secret: string) => `browser ${secret}`;
  return {
    async begin(request, reply) {
      const caller = await app.callerOf(request.headers);
      if (caller) return { owner: ownerOfSession(caller.principal.id), sellerId: caller.sellerId };
      // Kept, so that a second window does not void the challenge of the first.
      const secret = secretOf(request) ?? randomSecret();
      reply.setCookie(name, secret, options);
      return { owner: ofBrowser(secret), sellerId: null };
    },
    async of(request) {
      const caller = await app.callerOf(request.headers);
      if (caller) return ownerOfSession(caller.principal.id);
      const secret = secretOf(request);
      return secret === null ? null : ofBrowser(secret);
    },
  };
}
