import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { cookieOf } from '#server/http/cookies.ts';
import { randomSecret } from '#shared/data/accounts/account-tokens.ts';
import { deviceKey, isKnownDevice, rememberDevice } from '#shared/data/accounts/sign-in.ts';

/**
 * A cookie by which accounts recognise a browser that has signed in. Its wrong passwords are counted separately, so nobody
 * else can lock it out. The cookie gives no access by itself.
 */
export interface DeviceCookie {
  /**
   * @param id the seller's id; for an address without an account the address, so that the lookup takes as long
   * @returns the key under which the account knows the browser, or null when it does not
   */
  known(request: FastifyRequest, id: string): Promise<string | null>;
  /** Makes the browser known to an account. @param withCode whether it signs in with a code */
  remember(request: FastifyRequest, reply: FastifyReply, sellerId: string, withCode?: boolean): Promise<void>;
}

/** The format of `randomSecret`: 256 bits in base64url. */
const wellFormed = /^[\w-]{43}$/;

/** A browser has one cookie for all its accounts. */
export function createDeviceCookie({ config, db }: Pick<ServerContext, 'config' | 'db'>): DeviceCookie {
  const { name, options } = cookieOf('device', config);
  const maxAge = limits.knownDeviceDays * 86_400;
  const secretOf = (request: FastifyRequest) => {
    const secret = request.cookies[name];
    return secret !== undefined && wellFormed.test(secret) ? secret : null;
  };
  return {
    async known(request, id) {
      const secret = secretOf(request);
      if (secret === null) return null;
      const key = deviceKey(secret, id);
      return (await isKnownDevice(db, key)) ? key : null;
    },
    async remember(request, reply, sellerId, withCode = false) {
      const secret = secretOf(request) ?? randomSecret();
      await rememberDevice(db, deviceKey(secret, sellerId), sellerId, withCode);
      reply.setCookie(name, secret, { ...options, maxAge });
    },
  };
}
