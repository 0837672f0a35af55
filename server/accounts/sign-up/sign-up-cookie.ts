import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { cookieOf } from '#server/http/cookies.ts';
import { hashSecret, randomSecret } from '#shared/data/accounts/account-tokens.ts';

/**
 * A cookie of the browser that signed up, kept until the address is verified. In this browser the link in the mail signs
 * in. In others it asks for the password, since somebody else may have signed up with the address.
 */
export interface SignUpCookie {
  /** Sets a new secret. @returns its hash */
  set(reply: FastifyReply): string;
  /** @returns the hash of the browser's secret, or null when it has none */
  read(request: FastifyRequest): string | null;
  clear(reply: FastifyReply): void;
}

/** Every answer sets the same cookie except for its value, so it does not tell whether the address has an account. */
export function createSignUpCookie({ config }: Pick<ServerContext, 'config'>): SignUpCookie {
  const { name, options } = cookieOf('signUp', config);
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
