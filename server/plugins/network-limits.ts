import type { FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { limits } from '#contract';
import type { ServerContext } from '#server/http/context.ts';
import { networkOf } from '#server/http/network.ts';
import { createRateLimit, type RateLimit } from '#server/http/rate-limit.ts';

/** What is limited by network. */
export type NetworkLimit = keyof typeof limits.network;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Hook for routes that one network may ask only so often, for all servers together. It runs before the body is read.
     * @throws Refusal RATE_LIMITED
     */
    limitNetwork(name: NetworkLimit): (request: FastifyRequest) => Promise<void>;
  }
  interface FastifyRequest {
    /** Network that it comes from, behind the proxies that are trusted. */
    readonly network: string;
  }
}

/** Limits by network address, and the network of each request. */
export const networkLimits = plugin<{ context: ServerContext }>(async (app, { context }) => {
  const { config, db } = context;
  const createLimit = (name: NetworkLimit): RateLimit => {
    const { requests, seconds } = limits.network[name];
    return createRateLimit(db, {
      name: `network_${name.replaceAll('-', '_')}`,
      points: Math.max(1, Math.floor(requests * config.networkLimitFactor)),
      seconds,
      message: (wait) => `Too many requests from your network. Please try again in ${inWords(wait)}.`,
      // A flood is refused without a question to the database for each of its requests.
      remembered: true,
    });
  };
  const byName = new Map<NetworkLimit, RateLimit>();

  app.decorateRequest('network', {
    getter(this: FastifyRequest) {
      return networkOf(this.ip);
    },
  });

  app.decorate('limitNetwork', (name: NetworkLimit) => {
    const limit = byName.get(name) ?? createLimit(name);
    byName.set(name, limit);
    return async (request: FastifyRequest) => limit(request.network);
  });
});

/** A wait as one reads it: in seconds up to two minutes, else in minutes. */
function inWords(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
