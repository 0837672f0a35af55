import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { randomSecret } from '#shared/data/account-tokens.ts';
import { deviceKey, isKnownDevice, rememberDevice } from '#shared/data/known-devices.ts';

/**
 * What a browser keeps that has signed in: its wrong passwords are counted apart from everybody else's, so no stranger can
 * lock it out of its account. It opens nothing by itself.
 */
export interface DeviceCookie {
  /**
   * @param id the account's; for an address without one the address, so that looking takes as long
   * @returns by what the account knows the browser, null when it does not
   */
  known(request: FastifyRequest, id: string): Promise<string | null>;
  /** Lets an account know the browser from now on. */
  remember(request: FastifyRequest, reply: FastifyReply, sellerId: string): Promise<void>;
}

/** How our own secrets look: 256 bits in base64url. */
const wellFormed = /^[\w-]{43}$/;

/** The same cookie for all accounts of a browser. */
export function createDeviceCookie({ config, db }: Pick<ServerContext, 'config' | 'db'>): DeviceCookie {
  const { secure } = config;
  const name = secure ? '__Host-packshot-device' : 'packshot-device';
  const maxAge = limits.knownDeviceDays * 86_400;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge } as const;
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
    async remember(request, reply, sellerId) {
      const secret = secretOf(request) ?? randomSecret();
      await rememberDevice(db, deviceKey(secret, sellerId), sellerId);
      reply.setCookie(name, secret, options);
    },
  };
}
