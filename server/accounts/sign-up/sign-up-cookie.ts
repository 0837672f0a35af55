import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits, paths } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { hashSecret, randomSecret } from '#shared/data/account-tokens.ts';

/**
 * What the browser that signed up keeps until its address is verified: opened in it, the link in the mail signs in. In
 * another browser the link asks for the password, since somebody else may have signed up with this address.
 */
export interface SignUpCookie {
  /** Gives the browser a new one. @returns its hash */
  set(reply: FastifyReply): string;
  /** @returns the hash of what the browser holds, null when it holds none */
  read(request: FastifyRequest): string | null;
  clear(reply: FastifyReply): void;
}

const name = 'packshot-sign-up';

/** The same for every answer but for the random part. */
export function createSignUpCookie({ config }: Pick<ServerContext, 'config'>): SignUpCookie {
  const { secure } = config;
  const options = { path: paths.verifyEmail, httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    set(reply) {
      const secret = randomSecret();
      reply.setCookie(name, secret, { ...options, maxAge: limits.verificationHours * 3_600 });
      return hashSecret(secret);
    },
    read(request) {
      const secret = request.cookies[name];
      return secret ? hashSecret(secret) : null;
    },
    clear(reply) {
      reply.clearCookie(name, options);
    },
  };
}
